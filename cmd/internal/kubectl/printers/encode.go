package printers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
)

// List is a list of objects in kubectl's format.
type List struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   struct{} `json:"metadata"`
	Items      []any    `json:"items"`
}

// JSON writes any value as indented JSON. Control characters are written as \u escapes.
func JSON(w io.Writer, value any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "    ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(escapeJSON(b.Bytes(), unicode.MaxRune))
	return err
}

// printJSON writes objects like JSON writes a List, or a single object if one is true. It holds one
// object at a time.
func printJSON(w io.Writer, objects *queries.List, one bool) error {
	b := bufio.NewWriterSize(w, 32<<10)
	prefix, before, between, after := "        ", "{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"List\",\n    \"metadata\": {},\n    \"items\": [\n        ", ",\n        ", "\n    ]\n}\n"
	switch {
	case one:
		prefix, before, after = "", "", "\n"
	case objects.Empty:
		before, after = "{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"List\",\n    \"metadata\": {},\n    \"items\": []\n}", "\n"
	}
	var indented bytes.Buffer
	b.WriteString(before)
	first := true
	for line, err := range objects.Items {
		if err != nil {
			return err
		}
		if !first {
			b.WriteString(between)
		}
		first = false
		indented.Reset()
		if err := json.Indent(&indented, line, prefix, "    "); err != nil {
			return err
		}
		b.Write(escapeJSON(indented.Bytes(), unicode.MaxRune))
	}
	b.WriteString(after)
	return b.Flush()
}

// YAML writes any value as YAML, converted from its JSON form.
func YAML(w io.Writer, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	// The YAML reader rejects the raw control characters that JSON allows, and halves of surrogate
	// pairs.
	if data, err = yaml.JSONToYAML(escapeJSON(data, 0xffff)); err != nil {
		return err
	}
	if terminal.Is(w) {
		data = []byte(terminal.Escape(string(data)))
	}
	_, err = w.Write(data)
	return err
}

// escapeJSON escapes the control and format characters up to last that encoding/json does not
// escape: DEL, C1, directions, zero width.
func escapeJSON(data []byte, last rune) []byte {
	for i, c := range data {
		if c >= 0x7f {
			return escapeJSONFrom(data, i, last)
		}
	}
	return data
}

// escapeJSONFrom is escapeJSON for data whose first from bytes need no escape.
func escapeJSONFrom(data []byte, from int, last rune) []byte {
	out := append(make([]byte, 0, len(data)+64), data[:from]...)
	for i := from; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r < ' ' || r > last || !isInvisible(r):
			out = append(out, data[i:i+size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += size
	}
	return out
}

// isInvisible reports whether r is a control or format character, or one of the two noncharacters that
// YAML rejects.
func isInvisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\ufffe' || r == '\uffff'
}
