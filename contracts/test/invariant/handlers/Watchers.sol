// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { LibBit } from "solady/utils/LibBit.sol";
import { Test } from "forge-std/Test.sol";
import { Credit } from "../../../src/Credit.sol";
import { Findings } from "../../../src/Findings.sol";
import { Monitors } from "../../../src/Monitors.sol";
import { IMonitors } from "../../../src/interfaces/IMonitors.sol";
import { Attestations } from "../../../src/libraries/Attestations.sol";

/// @notice Who monitors two orders, each with a model of its bond, keys, terms, reports and lies. Lies are decided when a root is committed
/// to; whoever tells the truth acknowledges only epochs in which the order was up. A call that should succeed must succeed, and one that
/// should fail must fail: any other outcome ends the campaign.
// What is cast fits.
// forge-lint: disable-next-item(unsafe-typecast)
abstract contract Watchers is Test {
    struct Cast {
        Monitors monitors;
        Findings findings;
        Credit credit;
        address owner;
        uint256 operatorKey;
        address market;
        uint64[2] orderIds;
        uint64[2] nodeIds;
        address[2] providers;
        address[] people;
    }

    struct Term {
        uint256 from;
        uint256 until;
    }

    /// @dev What a monitor reports of an order, and signed, as bitmaps of epochs: one that was acknowledged and is down is a lie.
    struct Told {
        uint64 observed;
        uint64 down;
        uint64 acknowledged;
        uint64 proven;
    }

    uint256 internal constant EPOCH = 5 minutes;
    uint256 internal constant EPOCHS = 8;
    uint256 internal constant PERIOD = EPOCH * EPOCHS;
    uint256 internal constant WINDOW = PERIOD / 8;
    uint96 internal constant ALL = uint96(2 ** EPOCHS - 1);
    /// @dev These commit, reveal and earn; the others only hold places.
    uint256 internal constant ACTIVE = 12;
    bytes32 internal constant SALT = "salt";

    Monitors public immutable monitors;
    Findings public immutable findings;
    Credit internal immutable _credit;
    address internal immutable _owner;
    address internal immutable _market;
    uint256 internal immutable _operatorKey;
    address internal immutable _stranger = makeAddr("stranger");
    uint64[2] public orderIds;
    uint64[2] internal _nodeIds;
    address[2] internal _providers;
    address[] public people;
    mapping(address who => uint256) public indexOf;

    mapping(address who => uint256) public bondOf;
    mapping(address who => uint256) public earnedOf;
    mapping(address who => uint256) public contradictionsOf;
    mapping(address who => uint256) public lastKeyOf;
    mapping(address who => Term[]) internal _terms;
    mapping(address who => mapping(uint64 period => bytes32)) internal _committed;
    mapping(address who => mapping(uint64 period => bool)) internal _revealed;
    mapping(address who => mapping(uint64 period => bool)) internal _slashed;
    mapping(address who => mapping(uint64 period => bool)) internal _paid;
    /// @dev The key with which a monitor acknowledged what it was asked in a period.
    mapping(address who => mapping(uint64 period => uint256)) internal _ackKey;
    mapping(address who => mapping(uint64 period => Told[2])) internal _told;
    mapping(uint64 period => uint256) internal _payOf;

    /// @notice What belongs to nobody: what was donated, less what was earned, and what was forfeited.
    uint256 public pool;
    uint256 public outbid;
    uint256 public fines;
    uint256 public ruined;
    uint256 public innocent;
    uint256 public payments;
    uint256 public redraws;

    constructor(Cast memory cast) {
        (monitors, findings, _credit, _owner) = (cast.monitors, cast.findings, cast.credit, cast.owner);
        (_market, _operatorKey) = (cast.market, cast.operatorKey);
        (orderIds, _nodeIds, _providers, people) = (cast.orderIds, cast.nodeIds, cast.providers, cast.people);
        for (uint256 i = 0; i < people.length; ++i) {
            indexOf[people[i]] = i;
        }
    }

    // ---- time

    function _passSeconds(uint256 time) internal {
        vm.warp(_now() + time % WINDOW + 1);
    }

    /// @notice To the next hour of commitments, reveals or votes, some blocks later. Now and then so many that their hashes are gone.
    function _passWindow(uint256 blocks) internal {
        vm.warp((_now() / WINDOW + 1) * WINDOW);
        vm.roll(vm.getBlockNumber() + (blocks % 16 == 0 ? 300 : blocks % 7));
    }

    function _passDays(uint256 time) internal {
        vm.warp(_now() + 13 days + time % 2 days);
    }

    // ---- places and bonds

    function join(uint256 who, uint256 bond) public {
        address account = people[who % people.length];
        // Mostly somebody who is not a monitor.
        for (uint256 i = 0; i < people.length && bond % 4 != 0 && bondOf[account] != 0; ++i) {
            account = people[(who % people.length + i) % people.length];
        }
        bond = bond % 8 == 0 ? 999 ether : 1000 ether + bond % 1000 ether;
        vm.prank(_owner);
        _credit.mint(account, bond);
        address[] memory before = monitors.monitors();
        uint256 least = type(uint256).max;
        for (uint256 i = 0; i < before.length; ++i) {
            if (bondOf[before[i]] < least) least = bondOf[before[i]];
        }
        bool isFull = before.length == monitors.MAX_MONITORS();
        bool may = bondOf[account] == 0 && bond >= 1000 ether && (!isFull || bond >= least + least / 10);
        vm.prank(account);
        _credit.approve(address(monitors), bond);
        if (!_calls(account, may, abi.encodeCall(IMonitors.join, (bond, vm.addr(_key(account, lastKeyOf[account])))), "join")) return;

        (bondOf[account], contradictionsOf[account]) = (bond, 0);
        if (isFull) _requireLowestLeft(before, least);
        _terms[account].push(Term(_now(), 0));
    }

    function _resign(uint256 who) internal {
        address account = people[who % people.length];
        if (_calls(account, isActive(account), abi.encodeCall(IMonitors.resign, ()), "resign")) _left(account);
    }

    function _takeBond(uint256 who) internal {
        address account = people[who % people.length];
        for (uint256 i = 0; i < people.length && who % 8 > 1 && !_isFree(account); ++i) {
            account = people[(who % people.length + i) % people.length];
        }
        bool may = _isFree(account);
        uint256 had = _credit.balanceOf(account);
        if (!_calls(account, may, abi.encodeCall(IMonitors.takeBond, ()), "takeBond")) return;
        assertEq(_credit.balanceOf(account) - had, bondOf[account], "a bond comes back whole, less its fines");
        bondOf[account] = 0;
    }

    function _nameKey(uint256 who) internal {
        address account = people[who % people.length];
        address key = vm.addr(_key(account, lastKeyOf[account] + 1));
        if (_calls(account, isActive(account), abi.encodeCall(IMonitors.nameKey, (key)), "nameKey")) ++lastKeyOf[account];
    }

    function _takePay(uint256 who) internal {
        address account = people[who % people.length];
        uint256 had = _credit.balanceOf(account);
        if (!_calls(account, earnedOf[account] != 0, abi.encodeCall(IMonitors.takePay, ()), "takePay")) return;
        assertEq(_credit.balanceOf(account) - had, earnedOf[account]);
        earnedOf[account] = 0;
    }

    function donate(uint256 amount) public {
        amount = amount % 1000 ether;
        vm.prank(_owner);
        _credit.mint(address(monitors), amount);
        pool += amount;
    }

    // ---- reports

    /// @notice The whole of a period from its end to its votes.
    function _report(uint256 seed) internal {
        vm.warp((_now() / PERIOD + 1) * PERIOD);
        _commit(seed);
        vm.roll(vm.getBlockNumber() + 5);
        vm.warp(_now() / WINDOW * WINDOW + WINDOW);
        _reveal(seed >> 8);
        vm.warp(_now() + WINDOW);
    }

    /// @notice Most commit, beginning with any of them; a third of them lies, and liars agree.
    function _commit(uint256 seed) private {
        uint64 period = _lastPeriod();
        bool isOpen = _now() < _endOf(period) + WINDOW;
        bytes32[] memory roots = new bytes32[](ACTIVE);
        address[][2] memory plotters = _plotters(period);
        for (uint256 i = 0; i < ACTIVE; ++i) {
            // One report of a period is enough: a second commitment would only replace what the model knows.
            if (_committed[people[i]][period] != 0) continue;
            roots[i] = _decide(people[i], period, uint256(keccak256(abi.encode(seed, i))), plotters);
        }
        if (isOpen && seed % 4 == 0) _requireTheSameDraw(period, seed, roots);
        for (uint256 n = 0; n < ACTIVE; ++n) {
            uint256 i = (seed % ACTIVE + n) % ACTIVE;
            if ((seed >> (16 + i)) % 16 == 0 || roots[i] == 0) continue;
            if (_commits(people[i], period, roots[i], isOpen && isActive(people[i]))) _committed[people[i]][period] = roots[i];
        }
    }

    function _reveal(uint256 seed) private {
        uint64 period = _lastPeriod();
        uint256 end = _endOf(period);
        bool isOpen = _now() >= end + WINDOW && _now() < end + 2 * WINDOW;
        for (uint256 i = 0; i < ACTIVE; ++i) {
            address account = people[i];
            bytes32 root = _committed[account][period];
            if (root == 0 || (seed >> (16 + 3 * i)) % 16 == 0) continue;
            bool may = isOpen && !_revealed[account][period];
            if (_calls(account, may, abi.encodeCall(IMonitors.reveal, (period, root, SALT)), "reveal")) _revealed[account][period] = true;
        }
    }

    function _draw(uint256 back) internal {
        uint64 period = _lastPeriod() + 2 - uint64(back % 3);
        uint256 drawBlock = monitors.drawBlockOf(period);
        bool may = drawBlock != 0 && vm.getBlockNumber() > drawBlock;
        _calls(_stranger, may, abi.encodeCall(IMonitors.draw, (period)), "draw");
    }

    /// @notice Whoever shows the attestation of its sample is paid the same as the first one, whatever it reported.
    function _earn(uint256 who, uint256 back) internal {
        address account = people[who % ACTIVE];
        uint64 period = _lastPeriod() - uint64(back % 5);
        bytes32 beacon = monitors.beaconOf(period + 3);
        if (beacon == 0) return;
        uint256 order = _sampled(keccak256(abi.encode("sample", beacon, account, uint256(0))));
        Told memory told = _told[account][period][order];
        uint96 up = told.observed & ~told.down;
        bool may = _revealed[account][period] && !_slashed[account][period] && !_paid[account][period] && up != 0
            && _providers[order] != account && bondOf[account] != 0 && _lastTerm(account).from <= _endOf(period) - PERIOD
            && _now() < _endOf(period) + 4 * PERIOD;
        IMonitors.Sample[] memory samples = new IMonitors.Sample[](1);
        samples[0] = _sample(account, period, order, beacon, up);
        if (_payOf[period] == 0) _payOf[period] = may ? pool / (90 * _max(1, monitors.monitors().length)) : 0;
        if (!_calls(account, may, abi.encodeCall(IMonitors.earn, (period, samples)), "earn")) return;
        _paid[account][period] = true;
        earnedOf[account] += _payOf[period];
        pool -= _payOf[period];
        ++payments;
    }

    // ---- lies

    /// @notice Anybody who holds what a monitor signed: a lie costs what it says, and what is no lie costs nothing.
    function _accuse(uint256 who, uint256 back, uint256 seed) internal {
        address account = people[who % ACTIVE];
        uint64 period = _lastPeriod() - uint64(back % 6);
        uint256 order = seed % 2;
        for (uint256 i = 0; i < ACTIVE && seed % 8 > 2 && !_hasLied(account, period, order); ++i) {
            account = people[(who % ACTIVE + i) % ACTIVE];
        }
        Told storage told = _told[account][period][order];
        uint96 lies = told.down & told.acknowledged & ~told.proven;
        uint8 epoch = uint8(lies != 0 && seed % 8 > 1 ? LibBit.ffs(lies) : seed >> 8) % uint8(EPOCHS);
        bool isSigned = (told.acknowledged >> epoch) & 1 == 1;
        // An honest monitor signed nothing for an epoch that it reports as down; what it, or another, signed elsewhere does not fit.
        bytes memory signature = isSigned
            ? _sign(_ackKey[account][period], _acknowledgement(order, uint256(period) * EPOCHS + epoch))
            : _otherSignature(account, period, order, epoch, seed >> 16);
        bool may = bondOf[account] != 0 && _revealed[account][period] && (lies >> epoch) & 1 == 1;
        bytes memory data = abi.encodeCall(
            IMonitors.proveContradiction, (_market, orderIds[order], period, _vote(account, period, order), epoch, signature)
        );
        uint256 supply = _credit.totalSupply();
        uint256 had = _credit.balanceOf(_stranger);
        if (!_calls(_stranger, may, data, "accuse")) {
            if (_revealed[account][period] && bondOf[account] != 0) ++innocent;
            return;
        }
        told.proven |= uint64(1) << epoch;
        _slashed[account][period] = true;
        uint256 fine = _fined(account);
        assertEq(_credit.balanceOf(_stranger) - had, fine / 2, "half is the prover's");
        assertEq(supply - _credit.totalSupply(), fine - fine / 2, "half is burned");
    }

    function isActive(address account) public view returns (bool) {
        return _terms[account].length != 0 && _lastTerm(account).until == 0 && bondOf[account] != 0;
    }

    /// @dev Whether its bond can be taken back.
    function _isFree(address account) private view returns (bool) {
        return bondOf[account] != 0 && !isActive(account) && _now() >= _lastTerm(account).until + 14 days;
    }

    function _hasLied(address account, uint64 period, uint256 order) private view returns (bool) {
        Told storage told = _told[account][period][order];
        return _revealed[account][period] && told.down & told.acknowledged & ~told.proven != 0;
    }

    function peopleCount() external view returns (uint256) {
        return people.length;
    }

    /// @notice Whether a monitor held a place through a period.
    function monitored(address account, uint64 period) public view returns (bool) {
        Term[] storage terms = _terms[account];
        for (uint256 i = 0; i < terms.length; ++i) {
            bool isWhole = terms[i].until == 0 || terms[i].until >= _endOf(period);
            if (terms[i].from <= _endOf(period) - PERIOD && isWhole) return true;
        }
        return false;
    }

    // ---- of the model

    /// @dev A twentieth of the bond, each further time twice the part of the time before, until nothing is left.
    function _fined(address account) private returns (uint256 fine) {
        uint256 bond = bondOf[account];
        uint256 parts = 2 ** contradictionsOf[account]++;
        fine = parts >= 20 ? bond : bond * parts / 20;
        ++fines;
        bool wasActive = isActive(account);
        bondOf[account] = bond - fine;
        if (fine < bond) return fine;
        ++ruined;
        pool += earnedOf[account];
        earnedOf[account] = 0;
        if (wasActive) _left(account);
    }

    function _left(address account) private {
        _lastTerm(account).until = _now();
    }

    /// @dev One monitor left, and its bond was the lowest.
    function _requireLowestLeft(address[] memory before, uint256 least) private {
        uint256 gone;
        for (uint256 i = 0; i < before.length; ++i) {
            if (monitors.monitorOf(before[i]).leftAt == 0) continue;
            ++gone;
            assertEq(bondOf[before[i]], least, "the lowest bond goes first");
            _left(before[i]);
        }
        assertEq(gone, 1, "one place is taken");
        ++outbid;
    }

    /// @dev In some periods those who are drawn lie together, and nobody else does.
    function _plotters(uint64 period) private view returns (address[][2] memory plotters) {
        for (uint256 order = 0; order < 2; ++order) {
            if (_isPlotted(period)) plotters[order] = monitors.assigned(_providers[order], _nodeIds[order], period);
        }
    }

    function _isPlotted(uint64 period) internal pure returns (bool) {
        return uint256(keccak256(abi.encode("plot", period))) % 3 == 0;
    }

    /// @dev The truth is the same for all, also for those who saw only a part of it.
    function _decide(address account, uint64 period, uint256 seed, address[][2] memory plotters) private returns (bytes32) {
        _ackKey[account][period] = _key(account, lastKeyOf[account]);
        for (uint256 order = 0; order < 2; ++order) {
            bool isLiar = _isPlotted(period) ? _isDrawn(plotters[order], account) : seed % 3 == 0;
            uint96 truth = truthOf(order, period);
            uint96 observed = (seed >> 8) % 4 == 0 ? uint96(seed >> 16) & ALL : ALL;
            uint96 lie = isLiar ? uint96(uint256(keccak256(abi.encode("lie", order, period)))) & ALL : 0;
            // Some say of a machine that is up that it is away; others say the contrary.
            bool isDenial = isLiar && !_isPlotted(period) && (seed >> 10) % 2 == 0;
            uint96 down = isDenial ? 0 : (truth | lie) & observed;
            _told[account][period][order] = Told(uint64(observed), uint64(down), uint64(observed & ~truth), 0);
        }
        return _rootOf(0, _leaf(0, period, _told[account][period][0]), _siblings(_leaf(1, period, _told[account][period][1])));
    }

    function truthOf(uint256 order, uint64 period) public pure returns (uint96 down) {
        if (_isPlotted(period)) return 0;
        uint256 seed = uint256(keccak256(abi.encode("truth", order, period)));
        return seed % 3 == 0 ? 0 : uint96(seed >> 8) & ALL;
    }

    /// @dev Whoever commits first, and to whatever: the block after next is what draws, and nobody knows its hash.
    function _requireTheSameDraw(uint64 period, uint256 seed, bytes32[] memory roots) private {
        if (monitors.drawBlockOf(period + 2) != 0) return;
        bytes32 seen;
        uint256 tried;
        for (uint256 n = 0; n < ACTIVE && tried < 2; ++n) {
            uint256 i = ((seed >> 8) + n) % ACTIVE;
            if (!isActive(people[i])) continue;
            ++tried;
            uint256 state = vm.snapshotState();
            _commits(people[i], period, roots[i], true);
            assertGt(monitors.drawBlockOf(period + 2), vm.getBlockNumber(), "the block that draws is not there yet");
            vm.roll(monitors.drawBlockOf(period + 2) + 1);
            monitors.draw(period + 2);
            bytes32 beacon = monitors.beaconOf(period + 2);
            vm.revertToState(state);
            assertTrue(beacon != 0 && (seen == 0 || seen == beacon), "the draw depends on who commits first");
            if (seen != 0) ++redraws;
            seen = beacon;
        }
    }

    function _commits(address account, uint64 period, bytes32 root, bool may) private returns (bool) {
        bytes32 commitment = keccak256(abi.encode(account, period, root, SALT));
        return _calls(account, may, abi.encodeCall(IMonitors.commit, (period, commitment)), "commit");
    }

    /// @dev Something that was signed, by the monitor or by somebody else, but not this.
    function _otherSignature(address account, uint64 period, uint256 order, uint8 epoch, uint256 seed) private view returns (bytes memory) {
        uint256 now_ = uint256(period) * EPOCHS + epoch;
        uint256 key = _ackKey[account][period];
        if (seed % 4 == 0) return _sign(key == 0 ? 1 : key, _acknowledgement(1 - order, now_));
        if (seed % 4 == 1) return _sign(key == 0 ? 1 : key, _acknowledgement(order, now_ + EPOCHS));
        if (seed % 4 == 2) return _sign(_key(people[ACTIVE - 1], 99), _acknowledgement(order, now_));
        return "";
    }

    function _acknowledgement(uint256 order, uint256 epoch) private view returns (bytes32) {
        bytes32 typeHash = keccak256("Acknowledgement(address market,uint64 orderId,address provider,uint64 nodeId,uint64 epoch)");
        return keccak256(abi.encode(typeHash, _market, orderIds[order], _providers[order], _nodeIds[order], epoch));
    }

    function _sample(address account, uint64 period, uint256 order, bytes32 beacon, uint96 up)
        private
        view
        returns (IMonitors.Sample memory sample)
    {
        (sample.market, sample.orderId, sample.vote) = (_market, orderIds[order], _vote(account, period, order));
        if (up == 0) return sample;
        bytes32 target = keccak256(abi.encode("sample", beacon, account, uint256(0)));
        uint256 epoch = uint256(period) * EPOCHS + _nth(up, uint256(keccak256(abi.encode(target))) % LibBit.popCount(up));
        sample.signature = _sign(_operatorKey, _attestation(account, order, epoch));
    }

    function _attestation(address account, uint256 order, uint256 epoch) private view returns (bytes32) {
        bytes memory head = Attestations.head(_market, orderIds[order], _providers[order], _nodeIds[order]);
        return Attestations.hashOf(head, epoch, 0, true, 0, 0, account);
    }

    function _nth(uint96 bits, uint256 n) private pure returns (uint256 epoch) {
        for (; n > 0; --n) {
            bits &= bits - 1;
        }
        return LibBit.ffs(bits);
    }

    /// @dev Of a tree with two leaves, the one on the side of the target.
    function _sampled(bytes32 target) private view returns (uint256 order) {
        uint256 apart = 255 - _depth();
        return (uint256(target) >> apart) & 1 == (uint256(_placeOf(0)) >> apart) & 1 ? 0 : 1;
    }

    function _vote(address account, uint64 period, uint256 order) internal view returns (IMonitors.Vote memory vote) {
        Told storage told = _told[account][period][order];
        vote.monitor = account;
        vote.report = IMonitors.Report(told.observed, told.down);
        vote.proof = _siblings(_leaf(1 - order, period, _told[account][period][1 - order]));
    }

    function _leaf(uint256 order, uint64 period, Told memory told) private view returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(_market, orderIds[order], period, told.observed, told.down))));
    }

    function _placeOf(uint256 order) private view returns (bytes32) {
        return keccak256(abi.encode(_market, orderIds[order]));
    }

    /// @dev How many bits the keys of the two orders have in common.
    function _depth() private view returns (uint256) {
        return 255 - LibBit.fls(uint256(_placeOf(0) ^ _placeOf(1)));
    }

    function _siblings(bytes32 other) private view returns (bytes32[] memory siblings) {
        siblings = new bytes32[](_depth() + 1);
        siblings[0] = other;
    }

    function _rootOf(uint256 order, bytes32 leaf, bytes32[] memory siblings) private view returns (bytes32 root) {
        root = leaf;
        for (uint256 i = 0; i < siblings.length; ++i) {
            bool isRight = (uint256(_placeOf(order)) >> (256 - siblings.length + i)) & 1 == 1;
            root = isRight ? keccak256(bytes.concat(siblings[i], root)) : keccak256(bytes.concat(root, siblings[i]));
        }
    }

    function _sign(uint256 key, bytes32 structHash) private view returns (bytes memory) {
        bytes32 typeHash = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(typeHash, keccak256("Rackfair Monitors"), keccak256("1"), block.chainid, address(monitors)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function _key(address account, uint256 number) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(account, number))) >> 1;
    }

    function _calls(address from, bool may, bytes memory data, string memory what) internal returns (bool isDone) {
        return _calls(address(monitors), from, may, data, what);
    }

    function _calls(address target, address from, bool may, bytes memory data, string memory what) internal returns (bool isDone) {
        vm.prank(from);
        bytes memory answer;
        (isDone, answer) = target.call(data);
        if (isDone != may) revert(string.concat(what, may ? " must succeed: " : " must fail", vm.toString(answer)));
    }

    function _lastTerm(address account) internal view returns (Term storage) {
        Term[] storage terms = _terms[account];
        return terms[terms.length - 1];
    }

    function _lastPeriod() internal view returns (uint64) {
        return uint64(_now() / PERIOD - 1);
    }

    function _endOf(uint64 period) internal pure returns (uint256) {
        return (uint256(period) + 1) * PERIOD;
    }

    function _now() internal view returns (uint256) {
        return vm.getBlockTimestamp();
    }

    function _isDrawn(address[] memory drawn, address account) internal pure returns (bool) {
        for (uint256 i = 0; i < drawn.length; ++i) {
            if (drawn[i] == account) return true;
        }
        return false;
    }

    function _max(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a : b;
    }
}
