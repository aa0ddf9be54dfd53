package frame

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Question is what a hook asks: the event, and all that decides beside it.
type Question struct {
	Host    string   // whose hook asks: "claude", "codex", ...
	Version string   // of the program that asks; "" if it does not know
	Cwd     string   // absolute: the folder that the hook runs in
	Env     []string // NAME=value of the variables that decide, see Deciding
	Event   []byte   // as the host sent it
}

// cwdKey is the name under which the folder travels. It is no variable of the list.
const cwdKey = "cwd"

// unknownVersion stands for a version that is not known, so that no field is empty.
const unknownVersion = "-"

var errUnsaid = errors.New("frame: a host, version, folder or variable cannot be said in a frame; compute the answer yourself")

// AppendHead appends the question without its event, which follows as it is: so nobody has to
// copy it. A value that cannot be said, as one with a newline, is an error.
func (q *Question) AppendHead(dst []byte) ([]byte, error) {
	version := q.Version
	if version == "" {
		version = unknownVersion
	}
	if !word(q.Host) || !word(version) || !value(q.Cwd) {
		return nil, errUnsaid
	}
	from := len(dst)
	dst = append(dst, name+"/"...)
	dst = strconv.AppendInt(dst, Protocol, 10)
	dst = append(append(dst, ' '), q.Host...)
	dst = append(append(dst, ' '), version...)
	dst = append(append(dst, "\n"+cwdKey+"="...), q.Cwd...)
	for _, pair := range q.Env {
		key, text, ok := strings.Cut(pair, "=")
		if !ok || !Decides(key) || !word(key) || !value(text) {
			return nil, errUnsaid
		}
		dst = append(append(dst, '\n'), pair...)
	}
	dst = append(dst, "\n\n"...)
	if len(dst)-from > MaxHead {
		return nil, errUnsaid
	}
	return dst, nil
}

// ParseQuestion reads a whole question. The Event is a part of data. ErrProtocol: it is
// asked in another protocol, or is no question.
func ParseQuestion(data []byte) (Question, error) {
	end := bytes.Index(data[:min(len(data), MaxHead)], []byte("\n\n"))
	if end < 0 {
		return Question{}, unfinished(data)
	}
	lines := strings.Split(string(data[:end]), "\n")
	var q Question
	if err := q.parseFirst(lines[0]); err != nil {
		return Question{}, err
	}
	if len(lines) < 2 || !strings.HasPrefix(lines[1], cwdKey+"=") {
		return Question{}, errors.New("frame: the question names no folder")
	}
	if q.Cwd = lines[1][len(cwdKey)+1:]; !value(q.Cwd) {
		return Question{}, errUnsaid
	}
	for _, line := range lines[2:] {
		key, text, ok := strings.Cut(line, "=")
		if !ok || !word(key) || !value(text) {
			return Question{}, errors.New("frame: a line of the question is no NAME=value")
		}
		if !Decides(key) {
			return Question{}, errors.New("frame: the variable " + strconv.Quote(key) + " decides for who asks, and means nothing here")
		}
		q.Env = append(q.Env, line)
	}
	if q.Event = data[end+2:]; len(q.Event) > MaxEvent {
		return Question{}, errors.New("frame: the event is longer than " + strconv.Itoa(MaxEvent) + " bytes")
	}
	return q, nil
}

// unfinished says why data, which has no end of a head, is none.
func unfinished(data []byte) error {
	first, _, found := bytes.Cut(data[:min(len(data), MaxHead)], []byte("\n"))
	if found {
		if err := new(Question).parseFirst(string(first)); err != nil {
			return err
		}
	}
	return errors.New("frame: the question has no end of its head within " + strconv.Itoa(MaxHead) + " bytes")
}

// parseFirst reads the line IDUMB/<protocol> <host> <version>.
func (q *Question) parseFirst(line string) error {
	fields := strings.Split(line, " ")
	protocol, ok := strings.CutPrefix(fields[0], name+"/")
	if !ok || protocol != strconv.Itoa(Protocol) {
		return ErrProtocol
	}
	if len(fields) != 3 || !word(fields[1]) || !word(fields[2]) {
		return errors.New("frame: the question's first line is not " + name + "/<protocol> <host> <version>")
	}
	q.Host, q.Version = fields[1], fields[2]
	if q.Version == unknownVersion {
		q.Version = ""
	}
	return nil
}

// word reports whether a text can stand in the first line, or be a name: printable ASCII
// without spaces and without '='.
func word(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f || text[i] == '=' {
			return false
		}
	}
	return text != ""
}

// value reports whether a text can stand in a line of its own.
func value(text string) bool { return !strings.ContainsAny(text, "\n\x00") }
