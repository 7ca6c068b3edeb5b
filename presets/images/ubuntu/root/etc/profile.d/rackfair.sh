export PS1='\[\e[1;32m\]renter\[\e[0m\]:\[\e[1;34m\]\w\[\e[0m\]\$ '
