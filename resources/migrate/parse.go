package migrate

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxDepth limits the nesting of JSON. Real files have about ten levels.
const maxDepth = 128

// Parse parses JSON and tolerates errors: a byte order mark, UTF-16, comments, trailing
// commas, and truncated or invalid content, of which it returns the part before the error.
// damage describes each deviation from JSON; it is empty for a valid file. The error is not
// nil if nothing could be read.
func Parse(data []byte) (value Value, damage []string, err error) {
	text := Text8(data)
	if !utf8.Valid(text) {
		damage = append(damage, "it is not valid UTF-8; bad bytes were replaced")
		text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	}
	if text = bytes.TrimSpace(text); len(text) == 0 { // a final line end in a truncated string is not part of the string
		return Value{}, nil, errors.New("it is empty")
	}
	if !json.Valid(text) && nesting(text) <= 2*maxDepth {
		if plain, err := hujson.Standardize(bytes.Clone(text)); err == nil {
			damage, text = append(damage, "it has comments or trailing commas"), plain
		}
	}
	value, end, err := read(text)
	early := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if more, behind, _ := read(append(bytes.Clone(text), '"')); early && behind > end {
		value, err = more, errors.New("it ends inside a string")
	} else if early {
		err = errors.New("it ends too early")
	}
	switch {
	case err != nil && value.Type == Null:
		return Value{}, nil, fmt.Errorf("invalid JSON at byte %d: %w", end, err)
	case err != nil:
		damage = append(damage, fmt.Sprintf("%v, after byte %d of %d; everything before it was read", err, end, len(text)))
	case len(bytes.TrimSpace(text[end:])) > 0:
		damage = append(damage, fmt.Sprintf("extra data after its end, at byte %d", end))
	}
	return value, damage, nil
}

// read parses the first value of a text and returns its end. In case of an error, it
// returns the part before the error.
func read(text []byte) (v Value, end int64, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err = next(d, 0)
	return v, d.InputOffset(), err
}

// nesting returns the maximum nesting of brackets in a text, including brackets in strings.
func nesting(text []byte) (deepest int) {
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// next parses the next value of a decoder. After an error it returns the part before the error.
func next(d *json.Decoder, depth int) (v Value, err error) {
	token, err := d.Token()
	switch t := token.(type) {
	case string:
		v = Text(t)
	case json.Number:
		v = Value{Type: Number, Text: t.String()}
	case bool:
		v = Value{Type: Bool, Text: strconv.FormatBool(t)}
	case json.Delim:
		if depth == maxDepth {
			return v, errors.New("it is nested too deep")
		}
		v.Type = List
		if t == '{' {
			v.Type = Object
		}
		err = v.fill(d, depth+1)
	}
	return v, err
}

// fill parses the text between two brackets, and the closing bracket.
func (v *Value) fill(d *json.Decoder, depth int) error {
	for d.More() {
		name := ""
		if v.Type == Object {
			token, err := d.Token()
			if err != nil {
				return err
			}
			name, _ = token.(string)
		}
		inner, err := next(d, depth)
		switch {
		case err != nil && inner.Type == Null:
			return err
		case v.Type == Object:
			v.Fields = append(v.Fields, Field{name, inner})
		default:
			v.Items = append(v.Items, inner)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// Objects parses a file with several objects, one per line or over several lines. It
// returns false for any other content.
func Objects(data []byte) (list []Value, ok bool) {
	d := json.NewDecoder(bytes.NewReader(Text8(data)))
	d.UseNumber()
	for {
		switch v, err := next(d, 0); {
		case errors.Is(err, io.EOF) && v.Type == Null:
			return list, len(list) > 1
		case err != nil || v.Type != Object:
			return nil, false
		default:
			list = append(list, v)
		}
	}
}

// Text8 converts a file to UTF-8 without a byte order mark. It recognizes UTF-16, which the
// operator > of Windows PowerShell writes, by its byte order mark. Other content is
// returned unchanged.
func Text8(data []byte) []byte {
	order := binary.ByteOrder(binary.LittleEndian)
	switch {
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	case !bytes.HasPrefix(data, []byte("\xff\xfe")):
		return bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	units := make([]uint16, len(data)/2-1)
	for i := range units {
		units[i] = order.Uint16(data[2*i+2:])
	}
	return []byte(string(utf16.Decode(units)))
}
