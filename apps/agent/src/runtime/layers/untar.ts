/** System calls that perl has no function for, on this machine. */
const NUMBERS = process.arch === 'arm64' ? { mknodat: 33, fchownat: 54, utimensat: 88, lsetxattr: 6 } : undefined
const { mknodat, fchownat, utimensat, lsetxattr } = NUMBERS ?? { mknodat: 259, fchownat: 260, utimensat: 280, lsetxattr: 189 }

/**
 * Unpacks the tar file of an image's layer from standard input into the folder `$root`, as overlayfs wants it: what the layer takes away
 * becomes a device 0, 0, and a folder that hides what is below is marked. Nothing outside of the folder can be named, for it is the root of
 * this process. No device of this machine is made: nothing of an image opens one. Ends with the number of entries.
 */
const PROGRAM = String.raw`
use strict;
no warnings;
my ($root, $most, $mknodat, $fchownat, $utimensat, $lsetxattr) = @ARGV;
$_ += 0 for $most, $mknodat, $fchownat, $utimensat, $lsetxattr;
chroot $root and chdir "/" or die "chroot: $!\n";
umask 0;
binmode STDIN;

my ($buffer, $at, $entries, $link, $name, @folders) = ("", 0, 0);
my (%all, %next);

sub fill {
  my ($need) = @_;
  substr($buffer, 0, $at, "");
  $at = 0;
  while (length $buffer < $need) {
    my $got = sysread STDIN, $buffer, 1 << 20, length $buffer;
    defined $got or die "read: $!\n";
    $got or return 0;
  }
  return 1;
}
sub bytes {
  my ($count) = @_;
  length($buffer) - $at >= $count or fill($count) or die "it ends in the middle\n";
  my $found = substr $buffer, $at, $count;
  $at += $count;
  return $found;
}
# Hands on the content of an entry, with what fills its last block.
sub content {
  my ($size, $file) = @_;
  my $fill = -$size % 512;
  for (my $left = $size; $left > 0;) {
    $at < length $buffer or fill(1) or die "it ends in the middle\n";
    my $part = length($buffer) - $at;
    $part = $left if $part > $left;
    if ($file) {
      my $done = syswrite $file, $buffer, $part, $at;
      defined $done or die "write: $!\n";
      $part = $done;
    }
    $at += $part;
    $left -= $part;
  }
  bytes($fill) if $fill;
}
sub text {
  my ($size) = @_;
  $size <= 1 << 20 or die "a name has more than a megabyte\n";
  my $text = bytes($size);
  bytes(-$size % 512) if $size % 512;
  return $text;
}
sub number {
  my ($field) = @_;
  my ($first, @rest) = unpack "C*", $field;
  if ($first & 0x80) {
    $first == 0x80 or return -1;
    my $value = 0;
    for (@rest) {
      $value < 2 ** 45 or die "a number is too large\n";
      $value = $value * 256 + $_;
    }
    return $value;
  }
  $field =~ s/[\0 ]+$//;
  $field =~ s/^ +//;
  $field =~ /^[0-7]*$/ or die "no number\n";
  return oct $field;
}
sub whole {
  my ($field) = @_;
  $field =~ /^(\d{1,15})(?:\.\d*)?$/ ? $1 + 0 : $field =~ /^-/ ? 0 : die "no number\n";
}
sub records {
  my ($text, $into) = @_;
  while ($text ne "") {
    $text =~ /^(\d{1,7}) / or die "its notes cannot be read\n";
    my $record = substr $text, 0, $1, "";
    $record =~ /^\d+ ([^=]+)=(.*)\n\z/s or die "its notes cannot be read\n";
    $into->{$1} = $2;
  }
}
# Of a path without what leads to where it already is.
sub clean {
  my @parts;
  for (split m{/}, $_[0]) {
    next if $_ eq "" or $_ eq ".";
    if ($_ eq "..") {
      @parts or die "a name leads out of the image\n";
      pop @parts;
    } else {
      push @parts, $_;
    }
  }
  return join "/", @parts;
}
sub isFolder { return -d $_[0] && !-l $_[0] }
sub isThere { return defined((lstat $_[0])[1]) }
sub isGone {
  my @found = lstat $_[0];
  return @found && ($found[2] & 0170000) == 0020000 && $found[6] == 0;
}
sub parents {
  my ($path) = @_;
  return if $path eq "" or -d $path;
  my ($above) = $path =~ m{^(.*)/[^/]*\z}s;
  parents($above // "");
  mkdir $path, 0755 or die "mkdir: $!\n";
}
sub clear {
  my ($path) = @_;
  return unless isThere($path);
  return unlink($path) || die "unlink: $!\n" unless isFolder($path);
  opendir my $folder, $path or die "opendir: $!\n";
  my @names = grep { $_ ne "." and $_ ne ".." } readdir $folder;
  closedir $folder;
  clear("$path/$_") for @names;
  rmdir $path or die "rmdir: $!\n";
}
sub attribute {
  my ($path, $key, $value) = @_;
  my $result = syscall $lsetxattr, "$path", "$key", "$value", length $value, 0;
  $result == 0 or die "setxattr: $!\n";
}
sub hide { attribute($_[0] eq "" ? "/" : $_[0], "trusted.overlay.opaque", "y") }
sub node {
  my ($path, $mode) = @_;
  syscall($mknodat, -100, "$path", $mode, 0) == 0 or die "mknod: $!\n";
}
# Takes away what layers below have at a path; what this layer has there stays.
sub takeAway {
  my ($path) = @_;
  if (isFolder($path)) { hide($path) }
  elsif (!isThere($path)) { node($path, 0020000) }
}
sub own {
  my ($path, $uid, $gid) = @_;
  return if $uid == 0 and $gid == 0;
  syscall($fchownat, -100, "$path", $uid, $gid, 0x100) == 0 or die "chown: $!\n";
}
sub when {
  my ($path, $time) = @_;
  my $times = pack "q<4", $time, 0, $time, 0;
  syscall $utimensat, -100, "$path", $times, 0x100;
}

while ($at < length $buffer or fill(1)) {
  my $head = bytes(512);
  last if $head =~ /^\0*\z/;
  ($entries += 1) <= $most or die "too many entries\n";
  my ($path, $mode, $uid, $gid, $size, $time, $sum, $type, $target, $magic, $prefix) =
    unpack 'Z100 a8 a8 a8 a12 a12 a8 a1 Z100 a8 x80 Z155', $head;
  substr $head, 148, 8, " " x 8;
  number($sum) == unpack "%32C*", $head or die "it is no archive\n";
  ($mode, $uid, $gid, $size, $time) = map { number($_) } $mode, $uid, $gid, $size, $time;
  $size >= 0 or die "no size\n";
  if ($type eq "L") { ($name) = unpack "Z*", text($size); next }
  if ($type eq "K") { ($link) = unpack "Z*", text($size); next }
  if ($type eq "x") { records(text($size), \%next); next }
  if ($type eq "g") { records(text($size), \%all); next }
  my %notes = (%all, %next);
  %next = ();
  $path = "$prefix/$path" if $prefix ne "" and $magic =~ /^ustar\0/;
  $path = $name // $path;
  $target = $link // $target;
  ($name, $link) = ();
  $path = $notes{path} if length $notes{path};
  $target = $notes{linkpath} if length $notes{linkpath};
  $size = whole($notes{size}) if length $notes{size};
  $uid = whole($notes{uid}) if length $notes{uid};
  $gid = whole($notes{gid}) if length $notes{gid};
  $time = whole($notes{mtime}) if length $notes{mtime};
  $time = 0 if $time < 0;
  $uid >= 0 and $uid < 2 ** 32 - 1 and $gid >= 0 and $gid < 2 ** 32 - 1 or die "an owner is no number\n";
  "$path$target" =~ /\0/ and die "a name cannot be one\n";
  grep { /^GNU\.sparse\./ } keys %notes and die "a file in it has holes\n";
  $type = "0" if $type eq "\0" or $type eq "7";
  $type = "5" if $type eq "0" and $path =~ m{/\z};
  $type =~ /^[0-6]\z/ or die "an entry is of an unknown kind\n";
  $size = 0 if $type ne "0";
  $path = clean($path);
  my ($above, $base) = $path =~ m{^(?:(.*)/)?([^/]*)\z}s;
  $above //= "";
  # What older programs noted for themselves.
  if ($path =~ /^\.wh\.\.wh\./ and $path ne ".wh..wh..opq") { content($size); next }
  parents($above);
  if ($base =~ s/^\.wh\.//) {
    content($size);
    if ($base eq ".wh..opq") { hide($above) }
    elsif ($base =~ /^\.wh\./) { }
    elsif ($base =~ /^\.{0,2}\z/) { die "a name cannot be one\n" }
    else { takeAway($above eq "" ? $base : "$above/$base") }
    next;
  }
  if ($type eq "5") {
    $path = "/" if $path eq "";
    unless (isFolder($path)) {
      my $wasGone = isGone($path);
      clear($path);
      mkdir $path, 0700 or die "mkdir: $!\n";
      hide($path) if $wasGone;
    }
    own($path, $uid, $gid);
    chmod $mode & 07777, $path or die "chmod: $!\n";
    push @folders, [$path, $time];
  } else {
    next if $type eq "3" or $type eq "4";
    $path ne "" or die "a name cannot be one\n";
    if ($type eq "1") {
      $target = clean($target);
      next if $target eq $path;
      clear($path);
      link $target, $path or die "link: $!\n";
      next;
    }
    clear($path);
    if ($type eq "2") {
      symlink $target, $path or die "symlink: $!\n";
      own($path, $uid, $gid);
      when($path, $time);
    } elsif ($type eq "6") {
      node($path, 0010000 | $mode & 0777);
      own($path, $uid, $gid);
      when($path, $time);
    } else {
      sysopen my $file, $path, 0301, 0600 or die "open: $!\n";
      content($size, $file);
      ($uid or $gid) and (chown $uid, $gid, $file or die "chown: $!\n");
      chmod $mode & 07777, $file or die "chmod: $!\n";
      utime $time, $time, $file;
      close $file or die "close: $!\n";
    }
  }
  for (keys %notes) {
    attribute($path, $1, $notes{$_}) if $type ne "2" and /^SCHILY\.xattr\.(user\..+|security\.capability)\z/;
  }
}
1 while fill(length($buffer) + 1) && ($at = length $buffer);
when(@$_) for reverse @folders;
print "$entries\n";
`

/** The command that unpacks a tar file from its standard input into `folder`, unless it has more than `maxEntries`. Root only. */
export const untar = (folder: string, maxEntries: number): [string, ...string[]] => [
  'perl',
  '-e',
  PROGRAM,
  folder,
  ...[maxEntries, mknodat, fchownat, utimensat, lsetxattr].map(String),
]
