package manifest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// XML reads an XML text. Elements are nodes under their local names, attributes are children
// before theirs, and the text of an element is its value. With an error comes what stands
// before it.
func XML(data []byte) (*Node, error) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	t := newTree()
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

// text takes a piece of an element's text: the first that is not blank, so that a text in a
// million pieces takes no longer than one.
func (n *Node) text(data []byte) {
	if n.Value == "" {
		n.Value = strings.TrimSpace(string(data))
	}
}
