package main

import (
	"bytes"
	"errors"
	"strconv"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// maxName is the maximal length of a socket's name in bytes: sun_path without the terminating zero.
const maxName = 107

// ask sends a question to the controller of the repository that contains the directory start, or
// the working directory if start is empty. After an error the caller computes the answer itself.
// The error is hooks.ErrSilent if no answer came within frame.Timeout. ask is safe for concurrent
// use.
func ask(q *frame.Question, start string) (frame.Answer, error) {
	deadline := time.Now().Add(frame.Timeout)
	data, err := q.AppendHead(make([]byte, 0, frame.MaxHead/8+len(q.Event)))
	if err != nil {
		return frame.Answer{}, err
	}
	fd, err := dialAndSend(start, layout.HookSocket, append(data, q.Event...), deadline)
	if err != nil {
		return frame.Answer{}, err
	}
	defer syscall.Close(fd)
	return receive(fd, deadline)
}

// stop requests the controller of the repository that contains the directory start to stop, and
// reports whether it answered. The request is the same in all versions.
func stop(start string) bool {
	const request = "POST /stop HTTP/1.1\r\nHost: idumb\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	fd, err := dialAndSend(start, layout.APISocket, []byte(request), time.Now().Add(frame.Timeout))
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	n, err := readRetry(fd, make([]byte, 16))
	return err == nil && n > 0
}

// dialAndSend sends data to a socket of the repository that contains the directory start, and returns the
// connection. It returns errNobody if no process of this user listens on the socket.
func dialAndSend(start, socket string, data []byte, deadline time.Time) (fd int, err error) {
	fd, err = syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return fd, err
	}
	if !setTimeouts(fd, frame.Timeout) || !connectFrom(fd, start, socket) || !ownPeer(fd) {
		err = errNobody
	} else if !send(fd, data, deadline) {
		err = hooks.ErrSilent
	}
	if err != nil {
		syscall.Close(fd)
	}
	return fd, err
}

// setTimeouts sets the timeout of each read and write.
func setTimeouts(fd int, patience time.Duration) bool {
	t := syscall.NsecToTimeval(patience.Nanoseconds())
	return syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &t) == nil &&
		syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &t) == nil
}

// readRetry reads once. It repeats an interrupted read.
func readRetry(fd int, data []byte) (n int, err error) {
	for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
		n, err = syscall.Read(fd, data)
	}
	return n, err
}

// connectFrom connects to a socket of the repository that contains a directory. It opens the
// directory and names it through /proc, because the name of a socket is limited to maxName bytes.
// So it works for any path and any working directory.
func connectFrom(fd int, start, socket string) bool {
	if start == "" {
		return connectUp(fd, "", socket)
	}
	return withShortPath(start, func(at string) bool { return connectUp(fd, at, socket) })
}

// withShortPath keeps a directory open while do runs with its short name.
func withShortPath(folder string, do func(at string) bool) bool {
	dir, err := syscall.Open(folder, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer syscall.Close(dir)
	return do("/proc/self/fd/" + strconv.Itoa(dir) + "/")
}

// connectUp walks up the directories and tries to connect in each, following the rules of
// layout.Find: to the nearest directory with a .idumb, within one owner and device. If any rule
// cannot be checked, it does not connect.
func connectUp(fd int, at, socket string) bool {
	var first, here, above syscall.Stat_t
	for top := true; ; top = false {
		err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: at + socket})
		if err == nil || !errors.Is(err, syscall.ENOENT) {
			return err == nil
		}
		if top {
			if syscall.Stat(at+".", &first) != nil {
				return false
			}
			here = first
		}
		var own syscall.Stat_t
		if !errors.Is(syscall.Lstat(at+layout.Dir, &own), syscall.ENOENT) {
			return false // the repository's directory, without a listening controller
		}
		if main := layout.MainRoot(at + "."); main != "" {
			return connectMain(fd, main, socket, first)
		}
		at += "../"
		if len(at)+len(socket) > maxName || syscall.Stat(at, &above) != nil {
			return false
		}
		if above.Ino == here.Ino || above.Uid != first.Uid || above.Dev != first.Dev {
			return false
		}
		here = above
	}
}

// connectMain connects to the socket of the main working tree. first is the directory where the
// walk began: owner and device must be the same.
func connectMain(fd int, main, socket string, first syscall.Stat_t) bool {
	var st syscall.Stat_t
	if syscall.Stat(main, &st) != nil || st.Uid != first.Uid || st.Dev != first.Dev {
		return false
	}
	return withShortPath(main, func(at string) bool { return syscall.Connect(fd, &syscall.SockaddrUnix{Name: at + socket}) == nil })
}

// ownPeer reports whether the listener is a process of this user. Any user may create a socket in a
// directory that several users share.
func ownPeer(fd int) bool {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	return err == nil && int(peer.Uid) == syscall.Geteuid()
}

// send writes all data and closes the connection for writing.
func send(fd int, data []byte, deadline time.Time) bool {
	for len(data) > 0 {
		if time.Now().After(deadline) {
			return false
		}
		n, err := syscall.SendmsgN(fd, data, nil, nil, syscall.MSG_NOSIGNAL)
		if err != nil && !errors.Is(err, syscall.EINTR) {
			return false
		}
		data = data[max(n, 0):]
	}
	return syscall.Shutdown(fd, syscall.SHUT_WR) == nil
}

// receive reads one full answer.
func receive(fd int, deadline time.Time) (frame.Answer, error) {
	data := make([]byte, 0, 16<<10)
	for time.Now().Before(deadline) {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := readRetry(fd, data[len(data):cap(data)])
		switch {
		case errors.Is(err, syscall.EAGAIN):
			return frame.Answer{}, hooks.ErrSilent
		case err != nil || n == 0:
			return frame.Answer{}, errNobody
		}
		data = data[:len(data)+n]
		if rest, announced := bytes.CutPrefix(data, []byte(frame.Waiting)); announced {
			data, deadline = rest, deadline.Add(frame.WorkTimeout-frame.Timeout)
			if !setTimeouts(fd, frame.WorkTimeout) {
				return frame.Answer{}, hooks.ErrSilent
			}
		}
		answer, err := frame.ParseAnswer(data)
		if !errors.Is(err, frame.ErrShort) {
			return answer, err
		}
	}
	return frame.Answer{}, hooks.ErrSilent
}
