"""A seccomp filter: system calls that no notebook needs, and that have opened kernels before, answer EPERM.

Made by hand, because bubblewrap wants the compiled program and libseccomp's Python bindings are not on PyPI for every
system; the program is a list of comparisons. Numbers are those of the kernel's own headers.
"""

from __future__ import annotations

import ctypes
import platform
import struct

# name: (x86_64, aarch64); None where the architecture has no such call.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # other processes, and the kernel's own eyes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "syslog": (103, 116),
    "lookup_dcookie": (212, 18),
    # asynchronous rings, which pass by a filter
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # mounts and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262),
    # memory that belongs to no process, so that no limit and no watch sees it
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    # kernel keyrings outlive a process
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # the machine itself
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "vhangup": (153, 58),
    "uselib": (134, None),
    "personality": (135, 92),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
CLONE, CLONE3, SOCKET, IOCTL = (56, 220), (435, 435), (41, 198), (16, 29)
NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
SOCKET_FAMILIES = (1, 2, 10)  # unix, IPv4, IPv6; there is no network but loopback
NETLINK, NETLINK_ROUTE = 16, 0  # getifaddrs, which zmq needs; no other netlink
TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_LOAD, _EQUAL, _ABOVE, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_NUMBER, _ARCH, _ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data


class SeccompError(RuntimeError):
    """There is no filter for this machine, or the kernel does not take it."""


def program(machine: str | None = None) -> bytes:
    """The filter as the kernel reads it (an array of struct sock_filter).

    Args:
        machine: "x86_64" or "aarch64"; None is this machine.

    Raises:
        SeccompError: For any other machine.
    """
    machine = machine or platform.machine()
    if machine not in _MACHINES:
        raise SeccompError(f"there is no system-call filter for {machine}; it is written for {', '.join(_MACHINES)}")
    column, arch = _MACHINES[machine]
    code: list[tuple[int, int, int, int]] = []

    def say(operation: int, value: int, yes: int = 0, no: int = 0) -> None:
        code.append((operation, yes, no, value))

    say(_LOAD, _ARCH)
    say(_EQUAL, arch, 1, 0)
    say(_RETURN, _KILL)
    say(_LOAD, _NUMBER)
    say(_ABOVE, 0x40000000, 0, 1)  # the x32 calls are the same ones by other numbers
    say(_RETURN, _ERRNO | _EPERM)
    for number in (n[column] for n in REFUSED.values()):
        if number is not None:
            say(_EQUAL, number, 0, 1)
            say(_RETURN, _ERRNO | _EPERM)
    # clone3 keeps its flags where a filter cannot see them; glibc falls back to clone.
    say(_EQUAL, CLONE3[column], 0, 1)
    say(_RETURN, _ERRNO | _ENOSYS)
    say(_EQUAL, CLONE[column], 0, 4)
    say(_LOAD, _ARGUMENT)
    say(_BITS, NEW_NAMESPACES, 0, 1)
    say(_RETURN, _ERRNO | _EPERM)
    say(_RETURN, _ALLOW)
    families = len(SOCKET_FAMILIES)
    say(_EQUAL, SOCKET[column], 0, families + 6)
    say(_LOAD, _ARGUMENT)
    for i, family in enumerate(SOCKET_FAMILIES):
        say(_EQUAL, family, families - i + 3, 0)
    say(_EQUAL, NETLINK, 0, 2)
    say(_LOAD, _ARGUMENT + 16)
    say(_EQUAL, NETLINK_ROUTE, 1, 0)
    say(_RETURN, _ERRNO | _EAFNOSUPPORT)
    say(_RETURN, _ALLOW)
    say(_EQUAL, IOCTL[column], 0, 4)
    say(_LOAD, _ARGUMENT + 8)
    say(_EQUAL, TERMINAL_INJECTION[0], 1, 0)
    say(_EQUAL, TERMINAL_INJECTION[1], 0, 1)
    say(_RETURN, _ERRNO | _EPERM)
    say(_RETURN, _ALLOW)
    return b"".join(struct.pack("HBBI", operation, yes, no, value) for operation, yes, no, value in code)


def install(code: bytes) -> None:
    """Puts the filter on this process and all that it starts; it cannot be taken off again.

    Raises:
        SeccompError: Where the kernel refuses.
    """

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]

    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_seccomp, filter_mode = 38, 22, 2
    if libc.prctl(no_new_privileges, 1, 0, 0, 0):
        raise SeccompError("no_new_privs was refused")
    given = Program(len(code) // 8, code)
    if libc.prctl(set_seccomp, filter_mode, ctypes.byref(given), 0, 0):
        raise SeccompError(f"the filter was refused (errno {ctypes.get_errno()})")
