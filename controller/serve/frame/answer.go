package frame

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Answer holds the output of a hook and its exit status.
type Answer struct {
	Exit           int // 0 to 255
	Stdout, Stderr []byte
}

// ErrShort means that the answer is incomplete.
var ErrShort = errors.New("frame: the answer is incomplete")

// Append appends the encoded answer to dst. It returns an error if the answer
// exceeds the limits.
func (a *Answer) Append(dst []byte) ([]byte, error) {
	if a.Exit < 0 || a.Exit > 255 || len(a.Stdout) > MaxAnswer || len(a.Stderr) > MaxAnswer {
		return nil, errors.New("frame: the answer is too long, or its exit status is invalid")
	}
	dst = append(dst, "OK "...)
	dst = append(strconv.AppendInt(dst, int64(a.Exit), 10), ' ')
	dst = append(strconv.AppendInt(dst, int64(len(a.Stdout)), 10), ' ')
	dst = append(strconv.AppendInt(dst, int64(len(a.Stderr)), 10), '\n')
	return append(append(dst, a.Stdout...), a.Stderr...), nil
}

// AppendNo appends the answer of a controller that cannot answer, with the
// reason.
func AppendNo(dst []byte, why string) []byte {
	dst = append(append(dst, "NO "...), strings.Map(printable, why)...)
	return append(dst, '\n')
}

// printable returns r, or a space for a control character.
func printable(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}

// maxLine is the maximum length of the first line of an answer, in bytes.
const maxLine = 40

// ParseAnswer decodes an answer. The result shares memory with data. It returns
// ErrShort if data is the beginning of an answer. Any other error means that
// the hook must compute the answer.
func ParseAnswer(data []byte) (Answer, error) {
	line, _, found := bytes.Cut(data[:min(len(data), maxLine)], []byte("\n"))
	if !found {
		if len(data) < maxLine && bytes.HasPrefix([]byte("OK "), data[:min(len(data), 3)]) {
			return Answer{}, ErrShort
		}
		return Answer{}, refusalError(data)
	}
	fields := strings.Split(string(line), " ")
	if len(fields) != 4 || fields[0] != "OK" {
		return Answer{}, refusalError(data)
	}
	exit, exitOK := number(fields[1], 255)
	stdout, stdoutOK := number(fields[2], MaxAnswer)
	stderr, stderrOK := number(fields[3], MaxAnswer)
	if !exitOK || !stdoutOK || !stderrOK {
		return Answer{}, refusalError(data)
	}
	rest := data[len(line)+1:]
	switch {
	case len(rest) < stdout+stderr:
		return Answer{}, ErrShort
	case len(rest) > stdout+stderr:
		return Answer{}, errors.New("frame: the answer is longer than its header states")
	}
	return Answer{exit, rest[:stdout:stdout], rest[stdout:]}, nil
}

// ErrOlder and ErrNewer mean that the controller uses an older or newer
// protocol.
var (
	ErrOlder = errors.New("frame: the controller speaks an older protocol than " + protocolName)
	ErrNewer = errors.New("frame: the controller speaks a newer protocol than " + protocolName)
)

// refusalError returns the error of an invalid answer. A refusal may contain the
// controller's protocol: see ErrProtocol.
func refusalError(data []byte) error {
	line, _, _ := bytes.Cut(data[:min(len(data), maxRefusal)], []byte("\n"))
	if _, after, found := strings.Cut(string(line), name+"/"); found && bytes.HasPrefix(line, []byte("NO ")) {
		switch protocol, err := strconv.Atoi(after); {
		case err == nil && protocol < Protocol:
			return ErrOlder
		case err == nil && protocol > Protocol:
			return ErrNewer
		}
	}
	return errors.New("frame: no answer but " + strconv.Quote(string(line)))
}

// maxRefusal is the maximum length of a quoted refusal, in bytes.
const maxRefusal = 200

// number parses the output of strconv.AppendInt for 0 to max. It returns false
// for any other text.
func number(text string, max int) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= max && strconv.Itoa(n) == text
}
