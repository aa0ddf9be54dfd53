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

// maxDepth is how deep JSON may be nested. Real files have some ten levels.
const maxDepth = 128

// Parse reads JSON, and goes on where encoding/json gives up: behind a byte order mark, in UTF-16,
// with remarks and trailing commas, or where the file was cut off or makes no sense any more, of
// which everything up to there is returned. damage says, in words, each thing that was not as JSON
// has it; none: the file was whole. The error means that nothing could be read at all.
func Parse(data []byte) (value Value, damage []string, err error) {
	text := Text8(data)
	if !utf8.Valid(text) {
		damage = append(damage, "it is not valid UTF-8; bad bytes were replaced")
		text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	}
	if text = bytes.TrimSpace(text); len(text) == 0 { // a line end that stands in a string where it was cut off is none of it
		return Value{}, nil, errors.New("it is empty")
	}
	if !json.Valid(text) && nesting(text) <= 2*maxDepth {
		if plain, err := hujson.Standardize(bytes.Clone(text)); err == nil {
			damage, text = append(damage, "there are remarks in it, or commas behind the last of a list"), plain
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
		return Value{}, nil, fmt.Errorf("it is no JSON: %w, at byte %d", err, end)
	case err != nil:
		damage = append(damage, fmt.Sprintf("%v, behind byte %d of %d; everything before that was read", err, end, len(text)))
	case len(bytes.TrimSpace(text[end:])) > 0:
		damage = append(damage, fmt.Sprintf("there is more behind its end, at byte %d", end))
	}
	return value, damage, nil
}

// read reads the first value of a text, and says where it ends. With an error it returns what there was of it.
func read(text []byte) (v Value, end int64, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err = next(d, 0)
	return v, d.InputOffset(), err
}

// nesting is how deep brackets stand in a text, those within strings among them.
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

// next reads one value, as read does.
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

// fill reads what stands between two brackets, and the closing one.
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

// Objects reads a file of several objects, one a line or over more lines each; false if it holds anything else.
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

// Text8 returns a file as UTF-8 without a byte order mark. UTF-16, which the > of Windows PowerShell writes, is
// told by its mark; anything else is returned as it is.
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
