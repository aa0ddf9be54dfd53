package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// JSON parses a JSON text. In case of an error, it also returns the part before the error.
func JSON(data []byte) (*Node, error) {
	t := newTreeBuilder()
	err := readJSON(bytes.NewReader(data), t)
	return t.root.first(), err
}

// first returns the top-level value, or an empty node.
func (n *Node) first() *Node {
	if len(n.Children) == 0 {
		return n
	}
	return n.Children[0]
}

// StreamJSON calls each for every scalar of a JSON text with the keys that lead to it. It
// does not load the text into memory, because lock files are long. keys is only valid
// during the call. The key of a list element is "".
func StreamJSON(r io.Reader, each func(keys []string, value string, line int)) error {
	return readJSON(r, &stream{each: each})
}

// stream is a sink that only tracks the current keys.
type stream struct {
	keys []string
	each func(keys []string, value string, line int)
}

// enter adds a key to the current keys.
func (s *stream) enter(key string, _ int) { s.keys = append(s.keys, key) }

// leave removes the last of the current keys.
func (s *stream) leave() {
	if len(s.keys) > 0 {
		s.keys = s.keys[:len(s.keys)-1]
	}
}

// leaf omits the empty key of the top-level value.
func (s *stream) leaf(key, value string, line int) {
	if keys := append(s.keys, key); len(keys) > 1 {
		s.each(keys[1:], value, line)
	}
}

// lineReader records the positions of line ends that the decoder has read ahead.
type lineReader struct {
	r      io.Reader
	offset int64
	line   int
	ends   []int64
}

// Read reads from the underlying reader and records the offsets of line ends.
func (l *lineReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, c := range p[:n] {
		if c == '\n' {
			l.ends = append(l.ends, l.offset+int64(i))
		}
	}
	l.offset += int64(n)
	return n, err
}

// readJSON parses a JSON text and passes its values to a sink with their lines. It returns an error
// for invalid JSON and for more than maxDepth nested values.
func readJSON(r io.Reader, to sink) error {
	lines := &lineReader{r: withoutMark(r), line: 1}
	decoder := json.NewDecoder(lines)
	decoder.UseNumber()
	var objects []bool // by level: whether it is an object
	key, named := "", false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		// Offsets do not decrease.
		for len(lines.ends) > 0 && lines.ends[0] < decoder.InputOffset() {
			lines.ends = lines.ends[1:]
			lines.line++
		}
		line := lines.line
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		switch delim, _ := token.(json.Delim); {
		case delim == '{' || delim == '[':
			if len(objects) >= maxDepth {
				return errDepth(line)
			}
			objects = append(objects, delim == '{')
			to.enter(key, line)
		case delim != 0:
			objects = objects[:len(objects)-1]
			to.leave()
		case len(objects) > 0 && objects[len(objects)-1] && !named:
			key, named = token.(string), true
			continue
		default:
			to.leaf(key, scalar(token), line)
		}
		key, named = "", false
	}
}

// scalar returns a JSON scalar as text, "" for null.
func scalar(token json.Token) string {
	if token == nil {
		return ""
	}
	return fmt.Sprint(token)
}

// withoutMark returns a reader that skips a byte order mark at the start.
func withoutMark(r io.Reader) io.Reader {
	buffered := bufio.NewReader(r)
	if mark, _ := buffered.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = buffered.Discard(3)
	}
	return buffered
}
