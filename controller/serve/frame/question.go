package frame

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Question is the question of a hook: the event and all other input of the
// decision.
type Question struct {
	Host    string   // host of the hook: "claude", "codex", ...
	Version string   // version of the client; empty if unknown
	Cwd     string   // absolute working directory of the hook
	Env     []string // NAME=value pairs of relevant variables, see IsRelevant
	Event   []byte   // unmodified event of the host
}

// cwdKey is the key of the working directory. It is not a variable.
const cwdKey = "cwd"

// unknownVersion represents an unknown version, so that no field is empty.
const unknownVersion = "-"

var errUnencodable = errors.New("frame: the host, version, directory or a variable cannot be encoded; compute the answer locally")

// AppendHead appends the question without its event, which the caller sends
// after it unmodified, without copying. It returns an error if a value cannot
// be encoded, such as a value with a newline.
func (q *Question) AppendHead(dst []byte) ([]byte, error) {
	version := q.Version
	if version == "" {
		version = unknownVersion
	}
	if !isWord(q.Host) || !isWord(version) || !isValue(q.Cwd) {
		return nil, errUnencodable
	}
	from := len(dst)
	dst = append(dst, name+"/"...)
	dst = strconv.AppendInt(dst, Protocol, 10)
	dst = append(append(dst, ' '), q.Host...)
	dst = append(append(dst, ' '), version...)
	dst = append(append(dst, "\n"+cwdKey+"="...), q.Cwd...)
	for _, pair := range q.Env {
		key, text, ok := strings.Cut(pair, "=")
		if !ok || !IsRelevant(key) || !isWord(key) || !isValue(text) {
			return nil, errUnencodable
		}
		dst = append(append(dst, '\n'), pair...)
	}
	dst = append(dst, "\n\n"...)
	if len(dst)-from > MaxHead {
		return nil, errUnencodable
	}
	return dst, nil
}

// ParseQuestion decodes a whole question. Event shares memory with data. It
// returns ErrProtocol if data is not a question in this protocol.
func ParseQuestion(data []byte) (Question, error) {
	end := bytes.Index(data[:min(len(data), MaxHead)], []byte("\n\n"))
	if end < 0 {
		return Question{}, headError(data)
	}
	lines := strings.Split(string(data[:end]), "\n")
	var q Question
	if err := q.parseFirst(lines[0]); err != nil {
		return Question{}, err
	}
	if len(lines) < 2 || !strings.HasPrefix(lines[1], cwdKey+"=") {
		return Question{}, errors.New("frame: the question names no directory")
	}
	if q.Cwd = lines[1][len(cwdKey)+1:]; !isValue(q.Cwd) {
		return Question{}, errUnencodable
	}
	for _, line := range lines[2:] {
		key, text, ok := strings.Cut(line, "=")
		if !ok || !isWord(key) || !isValue(text) {
			return Question{}, errors.New("frame: a line of the question is not NAME=value")
		}
		if !IsRelevant(key) {
			return Question{}, errors.New("frame: the variable " + strconv.Quote(key) + " affects the client's decision, but this build does not support it")
		}
		q.Env = append(q.Env, line)
	}
	if q.Event = data[end+2:]; len(q.Event) > MaxEvent {
		return Question{}, errors.New("frame: the event is longer than " + strconv.Itoa(MaxEvent) + " bytes")
	}
	return q, nil
}

// headError returns the reason why data has no complete head.
func headError(data []byte) error {
	if first, _, found := bytes.Cut(data[:min(len(data), MaxHead)], []byte("\n")); found {
		if err := new(Question).parseFirst(string(first)); err != nil {
			return err
		}
	}
	return errors.New("frame: the question has no end of its head within " + strconv.Itoa(MaxHead) + " bytes")
}

// parseFirst parses the line IDUMB/<protocol> <host> <version>.
func (q *Question) parseFirst(line string) error {
	fields := strings.Split(line, " ")
	if protocol, ok := strings.CutPrefix(fields[0], name+"/"); !ok || protocol != strconv.Itoa(Protocol) {
		return ErrProtocol
	}
	if len(fields) != 3 || !isWord(fields[1]) || !isWord(fields[2]) {
		return errors.New("frame: the question's first line is not " + name + "/<protocol> <host> <version>")
	}
	q.Host, q.Version = fields[1], fields[2]
	if q.Version == unknownVersion {
		q.Version = ""
	}
	return nil
}

// isWord reports whether text is a valid word of the first line or a valid name:
// printable ASCII without spaces and without '='.
func isWord(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f || text[i] == '=' {
			return false
		}
	}
	return text != ""
}

// isValue reports whether text has no newline and no NUL, so that it fits in a line of the
// question.
func isValue(text string) bool { return !strings.ContainsAny(text, "\n\x00") }
