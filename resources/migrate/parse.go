package migrate

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep JSON may be nested. Real files have some ten levels.
const maxDepth = 128

// Parse reads JSON, and goes on where encoding/json gives up: behind a byte order mark,
// in UTF-16, with trailing commas, remarks, NaN, raw line ends inside strings, or where the file was cut off,
// of which everything up to the cut is returned. damage says, in words, each
// thing that was not as JSON has it; none: the file was whole. The error means that
// nothing could be read at all.
func Parse(data []byte) (value Value, damage []string, err error) {
	p := &parser{data: Text8(data)}
	if !utf8.Valid(p.data) {
		p.note("it is not valid UTF-8; bad bytes were replaced")
		p.data = bytes.ToValidUTF8(p.data, []byte("\ufffd"))
	}
	p.space()
	if p.end() {
		return Value{}, nil, fmt.Errorf("it is empty")
	}
	value, ok := p.value(0)
	if !ok {
		return Value{}, nil, fmt.Errorf("it is no JSON: %s at byte %d", p.why, p.pos)
	}
	if p.space(); !p.end() && !p.cut {
		p.note(fmt.Sprintf("there is more behind its end, at byte %d", p.pos))
	}
	return value, p.damage, nil
}

// Objects reads a file of several objects, one a line or over more lines each; false if it holds anything else.
func Objects(data []byte) (list []Value, ok bool) {
	objects := json.NewDecoder(bytes.NewReader(Text8(data)))
	for {
		var object json.RawMessage
		err := objects.Decode(&object)
		if errors.Is(err, io.EOF) {
			return list, len(list) > 1
		}
		if err != nil || object[0] != '{' {
			return nil, false
		}
		v, damage, err := Parse(object)
		if err != nil || len(damage) > 0 {
			return nil, false
		}
		list = append(list, v)
	}
}

type parser struct {
	data   []byte
	pos    int
	damage []string
	cut    bool   // the end came too early, or what follows makes no sense
	why    string // of a failure
}

func (p *parser) note(what string) {
	if !slices.Contains(p.damage, what) {
		p.damage = append(p.damage, what)
	}
}

func (p *parser) end() bool { return p.pos >= len(p.data) }

func (p *parser) space() {
	for !p.end() {
		switch {
		case strings.IndexByte(" \t\r\n\f\v", p.data[p.pos]) >= 0:
			p.pos++
		case p.remark("//", "\n") || p.remark("/*", "*/"):
		default:
			return
		}
	}
}

// remark passes over a remark, which JSON does not have; false if there is none here.
func (p *parser) remark(begin, end string) bool {
	if !bytes.HasPrefix(p.data[p.pos:], []byte(begin)) {
		return false
	}
	p.note("there are remarks in it")
	p.pos += len(begin)
	if length := bytes.Index(p.data[p.pos:], []byte(end)); length >= 0 {
		p.pos += length + len(end)
	} else {
		p.pos = len(p.data)
	}
	return true
}

// stop ends reading: what is there so far counts.
func (p *parser) stop(what string) {
	if !p.cut {
		p.cut = true
		p.note(fmt.Sprintf("%s at byte %d of %d; everything before that was read", what, p.pos, len(p.data)))
	}
}

// value reads one value; false if there is none here.
func (p *parser) value(depth int) (Value, bool) {
	if p.space(); p.end() {
		p.why = "it ends"
		return Value{}, false
	}
	if depth > maxDepth {
		p.why = "it is nested too deep"
		return Value{}, false
	}
	switch c := p.data[p.pos]; c {
	case '{':
		return p.object(depth), true
	case '[':
		return p.list(depth), true
	case '"':
		return Text(p.text()), true
	default:
		return p.word()
	}
}

func (p *parser) object(depth int) Value {
	v := Value{Type: Object}
	p.inside('}', "an object", func() {
		if p.data[p.pos] == '"' {
			p.field(&v, depth)
		} else {
			p.stop("there is no field name where one belongs")
		}
	})
	return v
}

func (p *parser) list(depth int) Value {
	v := Value{Type: List}
	p.inside(']', "a list", func() {
		if item, ok := p.value(depth + 1); ok {
			v.Items = append(v.Items, item)
		} else {
			p.stop("there is no value where one belongs (" + p.why + ")")
		}
	})
	return v
}

// inside reads what stands between a bracket and the one that closes it, with or without commas.
func (p *parser) inside(closing byte, what string, read func()) {
	p.pos++
	for !p.cut {
		switch p.space(); {
		case p.end():
			p.stop("it ends inside " + what)
		case p.data[p.pos] == closing:
			p.pos++
			return
		case p.data[p.pos] == ',':
			p.pos++
		default:
			read()
		}
	}
}

func (p *parser) field(v *Value, depth int) {
	name := p.text()
	if p.cut {
		v.Fields = append(v.Fields, Field{name, Value{}})
		return
	}
	p.space()
	if p.end() || p.data[p.pos] != ':' {
		p.stop("a field has no value")
		return
	}
	p.pos++
	value, ok := p.value(depth + 1)
	if !ok {
		p.stop("a field has no value (" + p.why + ")")
		return
	}
	v.Fields = append(v.Fields, Field{name, value})
}

// word reads a number, true, false, null, and what other languages write for them.
func (p *parser) word() (Value, bool) {
	start := p.pos
	for !p.end() && strings.IndexByte(",:]}[{\"' \t\r\n", p.data[p.pos]) < 0 {
		p.pos++
	}
	word := string(p.data[start:p.pos])
	switch word {
	case "true", "false":
		return Value{Type: Bool, Text: word}, true
	case "True", "False":
		p.note("it says " + word + ", which JSON writes in lower case")
		return Value{Type: Bool, Text: strings.ToLower(word)}, true
	case "null", "None", "undefined":
		return Value{}, true
	}
	if _, err := strconv.ParseFloat(word, 64); err == nil || strings.HasSuffix(fmt.Sprint(err), strconv.ErrRange.Error()) {
		return Value{Type: Number, Text: word}, true
	}
	p.pos, p.why = start, fmt.Sprintf("%q is no value", word)
	return Value{}, false
}

// text reads a string, whose opening quote is next.
func (p *parser) text() string {
	start := p.pos + 1
	for p.pos++; !p.end() && p.data[p.pos] != '"'; p.pos++ {
		if p.data[p.pos] == '\\' {
			p.pos++
		}
	}
	inner := p.data[start:min(p.pos, len(p.data))]
	if p.pos > len(p.data) { // in the middle of an escape
		inner = inner[:len(inner)-1]
	}
	text := string(inner)
	if strings.ContainsFunc(text, func(r rune) bool { return r == '\\' || r < ' ' }) {
		text = p.unescaped(inner)
	}
	if p.pos++; p.pos > len(p.data) {
		p.pos = len(p.data)
		p.stop("it ends inside a string")
	}
	return text
}

// unescaped is a string with escapes, or with what JSON would have had to escape.
func (p *parser) unescaped(inner []byte) (text string) {
	inner = special().ReplaceAllFunc(inner, func(c []byte) []byte {
		switch {
		case len(c) > 1:
			return c
		case c[0] == '\\':
			p.note("there are escapes in strings that JSON does not have")
			return []byte(`\\`)
		}
		p.note("there are raw control characters inside a string")
		return fmt.Appendf(nil, `\u%04x`, c[0])
	})
	json.Unmarshal(slices.Concat([]byte(`"`), inner, []byte(`"`)), &text) // it is a string now
	return text
}

// special matches an escape that JSON has, or what it does not take in a string.
var special = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\\\x00-\x1f]`)
})

// Text8 returns a file as UTF-8 without a byte order mark. UTF-16, which the > of Windows PowerShell writes, is
// told by its mark; anything else is returned as it is.
func Text8(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return fromUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return fromUTF16(data[2:], binary.BigEndian)
	}
	return bytes.TrimPrefix(data, []byte("\ufeff"))
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}
