package hook

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxNesting is how deep encoding/json goes into a text.
const maxNesting = 10000

// valid is json.Valid, which looks at each byte through a table of states: an event may
// hold a whole file twice, and is read by a process of its own each time.
func valid(text []byte) bool {
	c := checker{text: text}
	return c.value(0) && c.blanks() == 0 && c.at == len(text)
}

// checker goes through a JSON text once.
type checker struct {
	text []byte
	at   int
}

// blanks goes over blanks and returns the byte behind them, 0 at the end of the text.
func (c *checker) blanks() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

func (c *checker) value(depth int) bool {
	switch b := c.blanks(); b {
	case '{', '[':
		return depth < maxNesting && c.members(b, depth+1)
	case '"':
		return c.str()
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	}
	return c.number()
}

func (c *checker) word(word string) bool {
	if !bytes.HasPrefix(c.text[c.at:], []byte(word)) {
		return false
	}
	c.at += len(word)
	return true
}

// members goes over an object or a list, of which open is the first byte.
func (c *checker) members(open byte, depth int) bool {
	c.at++
	if c.blanks() == open+2 { // "{" and "}", "[" and "]" are two apart
		c.at++
		return true
	}
	for {
		if open == '{' && !c.name() || !c.value(depth) {
			return false
		}
		b := c.blanks()
		c.at++
		if b != ',' {
			return b == open+2
		}
	}
}

// name goes over the name of a member and the colon.
func (c *checker) name() bool {
	if c.blanks() != '"' || !c.str() || c.blanks() != ':' {
		return false
	}
	c.at++
	return true
}

func (c *checker) str() bool {
	for c.at++; ; c.at++ {
		if c.at = plain(c.text, c.at); c.at >= len(c.text) || c.text[c.at] < ' ' {
			return false
		}
		if c.text[c.at] == '"' {
			c.at++
			return true
		}
		if c.text[c.at] == '\\' && !c.escape() {
			return false
		}
	}
}

// plain returns the end of what is nothing special in a text, which is looked at eight
// bytes at a time.
func plain(text []byte, at int) int {
	const low, high = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		word := binary.LittleEndian.Uint64(text[at:])
		quote, slash := word^low*'"', word^low*'\\'
		special := ((word-low*' ')&^word | (quote-low)&^quote | (slash-low)&^slash) & high
		if special != 0 {
			return at + bits.TrailingZeros64(special)/8 // the lowest is right; higher ones need not be
		}
	}
	for at < len(text) && text[at] >= ' ' && text[at] != '"' && text[at] != '\\' {
		at++
	}
	return at
}

// escape goes over a backslash and what belongs to it, but for the last byte.
func (c *checker) escape() bool {
	if c.at++; c.at >= len(c.text) {
		return false
	}
	switch c.text[c.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
	default:
		return false
	}
	for range 4 {
		if c.at++; c.at >= len(c.text) || !isHex(c.text[c.at]) {
			return false
		}
	}
	return true
}

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}

func (c *checker) number() bool {
	c.sign("-")
	if !c.word("0") && !c.digits() {
		return false
	}
	if c.word(".") && !c.digits() {
		return false
	}
	if c.word("e") || c.word("E") {
		c.sign("+-")
		return c.digits()
	}
	return true
}

func (c *checker) sign(signs string) {
	if c.at < len(c.text) && bytes.IndexByte([]byte(signs), c.text[c.at]) >= 0 {
		c.at++
	}
}

// digits reports whether there is one at least.
func (c *checker) digits() bool {
	from := c.at
	for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
		c.at++
	}
	return c.at > from
}
