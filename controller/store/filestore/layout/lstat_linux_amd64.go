package layout

import "syscall"

const fstatat = syscall.SYS_NEWFSTATAT
