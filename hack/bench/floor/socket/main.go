//go:build unix

// Socket sends its standard input, after the head of a hook's question, to the socket in its
// argument, and prints the answer: the floor of any query. It uses bare system calls, like the
// hook.
package main

import (
	"os"
	"syscall"
)

func main() {
	head := "IDUMB/1 claude floor\ncwd=/\nCLAUDE_PROJECT_DIR=" + os.Getenv("CLAUDE_PROJECT_DIR") + "\n\n"
	data := append(make([]byte, 0, 64<<10), head...)
	read, err := syscall.Read(0, data[len(data):cap(data)])
	must(err)
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	must(err)
	must(syscall.Connect(fd, &syscall.SockaddrUnix{Name: os.Args[1]}))
	_, err = syscall.Write(fd, data[:len(data)+read])
	must(err)
	must(syscall.Shutdown(fd, syscall.SHUT_WR))
	for {
		read, err = syscall.Read(fd, data[:cap(data)])
		must(err)
		if read == 0 {
			return
		}
		_, err = syscall.Write(1, data[:read])
		must(err)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
