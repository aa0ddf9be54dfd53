package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// JSON reads a JSON text. With an error comes what stands before it.
func JSON(data []byte) (*Node, error) {
	t := newTree()
	err := readJSON(bytes.NewReader(data), t)
	return t.root.first(), err
}

// first is the one value of a text, empty if there is none.
func (n *Node) first() *Node {
	if len(n.Children) == 0 {
		return n
	}
	return n.Children[0]
}

// StreamJSON tells every scalar of a JSON text with the keys that lead to it, without holding
// the text: lock files are long. keys are only good during the call; elements of lists have "".
func StreamJSON(r io.Reader, each func(keys []string, value string, line int)) error {
	return readJSON(r, &stream{each: each})
}

// stream is a sink that keeps nothing but the way to where it is.
type stream struct {
	keys []string
	each func(keys []string, value string, line int)
}

func (s *stream) enter(key string, _ int) { s.keys = append(s.keys, key) }

func (s *stream) leave() {
	if len(s.keys) > 0 {
		s.keys = s.keys[:len(s.keys)-1]
	}
}

// leaf leaves out the key of the text itself, which has none.
func (s *stream) leaf(key, value string, line int) {
	if keys := append(s.keys, key); len(keys) > 1 {
		s.each(keys[1:], value, line)
	}
}

// lineReader counts lines as they are read, and remembers where those began that the decoder
// has read but not yet told.
type lineReader struct {
	r      io.Reader
	offset int64
	line   int
	ends   []int64
}

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

// at is the line of an offset; offsets must not go back.
func (l *lineReader) at(offset int64) int {
	for len(l.ends) > 0 && l.ends[0] < offset {
		l.ends = l.ends[1:]
		l.line++
	}
	return l.line
}

func readJSON(r io.Reader, to sink) error {
	lines := &lineReader{r: withoutMark(r), line: 1}
	decoder := json.NewDecoder(lines)
	decoder.UseNumber()
	var objects []bool // of each level, whether it is an object
	key, named := "", false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line := lines.at(decoder.InputOffset())
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

func scalar(token json.Token) string {
	if token == nil {
		return ""
	}
	return fmt.Sprint(token)
}

// withoutMark skips the mark that some editors of Windows put before a text.
func withoutMark(r io.Reader) io.Reader {
	buffered := bufio.NewReader(r)
	if mark, _ := buffered.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = buffered.Discard(3)
	}
	return buffered
}
