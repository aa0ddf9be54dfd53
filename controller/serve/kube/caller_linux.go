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

// processAt returns the process at the other end of a local TCP connection.
// known is false if it belongs to another user or the connection is not IPv4.
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
	return processWith("socket:[" + inode + "]")
}

// inodeOf returns the inode of the socket with these addresses, from
// /proc/net/tcp (proc(5)), and whether it is listed there.
func inodeOf(local, remote *net.TCPAddr) (string, bool) {
	file, err := os.Open("/proc/self/net/tcp")
	if err != nil {
		return "", false
	}
	defer file.Close()
	want := [2]string{hexAddress(local), hexAddress(remote)}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		const inode = 9 // column of the inode
		if f := strings.Fields(lines.Text()); len(f) > inode && f[1] == want[0] && f[2] == want[1] {
			return f[inode], true
		}
	}
	return "", false
}

// hexAddress formats an address like /proc/net/tcp: in the machine's byte
// order.
func hexAddress(a *net.TCPAddr) string {
	ip := a.IP.To4()
	if ip == nil {
		return ""
	}
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(ip), a.Port)
}

// processWith returns a process with an open file of that name. found is false
// if none is found; the open files of other users' processes cannot be read.
func processWith(target string) (pid int, found bool) {
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
			continue // process of another user, or ended
		}
		for _, f := range files {
			if link, err := os.Readlink(filepath.Join(folder, f.Name())); err == nil && link == target {
				return pid, true
			}
		}
	}
	return 0, false
}
