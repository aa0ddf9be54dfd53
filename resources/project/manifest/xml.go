package manifest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// XML parses an XML text. An element is a node with its local name. Its attributes are
// children before its child elements, and its text is its value. In case of an error, it
// also returns the part before the error.
func XML(data []byte) (*Node, error) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	t := newTreeBuilder()
	for {
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			return t.root.first(), nil
		}
		line, _ := decoder.InputPos()
		if err != nil {
			return t.root.first(), fmt.Errorf("line %d: %w", line, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(t.stack) > maxDepth {
				return t.root.first(), errDepth(line)
			}
			t.enter(token.Name.Local, line)
			for _, a := range token.Attr {
				t.leaf(a.Name.Local, a.Value, line)
			}
		case xml.EndElement:
			t.leave()
		case xml.CharData:
			t.stack[len(t.stack)-1].text(token)
		}
	}
}

// text sets the value to the first piece of text that is not blank. Joining all pieces
// could take quadratic time.
func (n *Node) text(data []byte) {
	if n.Value == "" {
		n.Value = strings.TrimSpace(string(data))
	}
}
