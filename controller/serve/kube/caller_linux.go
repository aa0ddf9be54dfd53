package kube

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// processAt is the process at the other end of a connection over TCP on this machine.
func processAt(conn net.Conn) (pid int, known bool) {
	from, isTCP := conn.RemoteAddr().(*net.TCPAddr)
	to, _ := conn.LocalAddr().(*net.TCPAddr)
	if !isTCP || to == nil {
		return 0, false
	}
	inode, found := inodeOf(from, to)
	if !found {
		return 0, false
	}
	return holderOf("socket:[" + inode + "]")
}

// inodeOf is the socket between two addresses, by the first of them, in /proc/net/tcp (proc(5)).
func inodeOf(local, remote *net.TCPAddr) (string, bool) {
	file, err := os.Open("/proc/self/net/tcp")
	if err != nil {
		return "", false
	}
	defer file.Close()
	want := [2]string{hexAddress(local), hexAddress(remote)}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		const inode = 9 // its column
		if f := strings.Fields(lines.Text()); len(f) > inode && f[1] == want[0] && f[2] == want[1] {
			return f[inode], true
		}
	}
	return "", false
}

// hexAddress is an address as /proc/net/tcp has it: in the machine's own order of bytes.
func hexAddress(a *net.TCPAddr) string {
	ip := a.IP.To4()
	if ip == nil {
		return ""
	}
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(ip), a.Port)
}

// holderOf is a process of this user's that has a file open which is called so.
func holderOf(target string) (pid int, found bool) {
	processes, err := os.ReadDir("/proc")
	if err != nil {
		return 0, false
	}
	for _, p := range processes {
		pid, err := strconv.Atoi(p.Name())
		if err != nil {
			continue
		}
		folder := filepath.Join("/proc", p.Name(), "fd")
		files, err := os.ReadDir(folder)
		if err != nil {
			continue // another user's, or gone
		}
		for _, f := range files {
			if link, err := os.Readlink(filepath.Join(folder, f.Name())); err == nil && link == target {
				return pid, true
			}
		}
	}
	return 0, false
}
