// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import { Test } from "forge-std/Test.sol";
import { Credit } from "../../src/Credit.sol";
import { Gate } from "../../src/Gate.sol";
import { TestUsdt } from "../../src/development/TestUsdt.sol";

/// @notice Users who exchange, burn and transfer money and switch the fee of USDT on and off, on a chain where only the gate mints Credit.
contract Changers is Test {
    TestUsdt private immutable _usdt;
    Credit private immutable _credit;
    Gate private immutable _gate;
    address private immutable _owner;
    address[3] private _people = [makeAddr("ann"), makeAddr("bob"), makeAddr("eve")];
    uint256 public withdrawals;

    constructor(TestUsdt usdt, Credit credit, Gate gate, address owner) {
        (_usdt, _credit, _gate, _owner) = (usdt, credit, gate, owner);
    }

    function deposit(uint256 who, uint256 amount, uint256 to) external {
        amount = bound(amount, 2, 1e15);
        address person = _person(who);
        vm.prank(_owner);
        _usdt.mint(person, amount);
        vm.startPrank(person);
        _usdt.approve(address(_gate), 0);
        _usdt.approve(address(_gate), amount);
        _gate.deposit(amount, _person(to));
        vm.stopPrank();
    }

    function withdraw(uint256 who, uint256 amount, uint256 to) external {
        address person = _person(who);
        uint256 held = _credit.balanceOf(person);
        if (held < 1e12) return;
        amount = bound(amount, 1e12, held);
        vm.startPrank(person);
        _credit.approve(address(_gate), amount);
        uint256 paid = _gate.withdraw(amount, _person(to));
        vm.stopPrank();
        assertLe(paid * 1e12, amount, "more was paid than destroyed");
        ++withdrawals;
    }

    function withdrawAll() external {
        for (uint256 i; i < _people.length; ++i) {
            this.withdraw(i, type(uint256).max, i);
        }
    }

    function transfer(uint256 who, uint256 to, uint256 amount) external {
        address person = _person(who);
        amount = bound(amount, 0, _credit.balanceOf(person));
        vm.prank(person);
        assertTrue(_credit.transfer(_person(to), amount));
    }

    function burn(uint256 who, uint256 amount) external {
        address person = _person(who);
        amount = bound(amount, 0, _credit.balanceOf(person));
        vm.prank(person);
        _credit.burn(amount);
    }

    function donate(uint256 amount) external {
        amount = bound(amount, 0, 1e12);
        vm.prank(_owner);
        _usdt.mint(address(_gate), amount);
    }

    function setFee(uint256 basisPoints) external {
        vm.prank(_owner);
        _usdt.setFee(basisPoints % 21);
    }

    /// @dev The owner of Credit has no rights here.
    function ownerMints(uint256 amount) external {
        vm.prank(_owner);
        vm.expectRevert();
        _credit.mint(_owner, amount);
    }

    function _person(uint256 seed) private view returns (address) {
        return _people[seed % _people.length];
    }
}

contract BackingTest is Test {
    Credit private _credit;
    Gate private _gate;
    Changers private _changers;

    function setUp() public {
        vm.chainId(985);
        address owner = makeAddr("owner");
        TestUsdt usdt = new TestUsdt(owner);
        _credit = new Credit(owner, vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1));
        _gate = new Gate(address(_credit), address(usdt));
        _changers = new Changers(usdt, _credit, _gate, owner);
        targetContract(address(_changers));
    }

    function invariant_ThereIsNeverLessUsdtThanCredit() public view {
        assertGe(_gate.reserves(), _credit.totalSupply());
    }

    function afterInvariant() public view {
        assertGt(_changers.withdrawals(), 0, "nobody changed anything back");
    }
}
