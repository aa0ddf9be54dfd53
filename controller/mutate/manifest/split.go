package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"sigs.k8s.io/yaml"
)

// byteOrderMark is what some editors put before UTF-8 text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// Split yields the documents of data, in their order; a document that cannot be
// read comes as an error, and the ones after it still come where it is known
// where they begin (in YAML and in Lists). Source names data in messages.
func Split(source string, data []byte) iter.Seq2[Document, error] {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && first[0] == '{' {
		return splitJSON(source, data)
	}
	return splitYAML(source, data)
}

// splitJSON yields JSON objects that stand one after the other.
func splitJSON(source string, data []byte) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		decoder := json.NewDecoder(bytes.NewReader(data))
		for {
			var raw json.RawMessage
			err := decoder.Decode(&raw)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Document{Source: source}, syntaxError(source, data, err))
				return
			}
			line := bytes.Count(data[:int(decoder.InputOffset())-len(raw)], []byte("\n"))
			if !expand(Document{Source: source, Line: line, JSON: raw}, yield) {
				return
			}
		}
	}
}

// splitYAML yields the documents between lines that begin with "---", which
// cannot stand inside one. Documents that hold nothing are passed over.
func splitYAML(source string, data []byte) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for part := range yamlDocuments(data) {
			converted, err := yaml.YAMLToJSONStrict(part)
			if err != nil {
				if !yield(Document{Source: source}, fmt.Errorf("%s: %w", source, err)) {
					return
				}
				continue
			}
			if string(bytes.TrimSpace(converted)) == "null" {
				continue
			}
			if !expand(Document{Source: source, YAML: true, JSON: converted}, yield) {
				return
			}
		}
	}
}

func yamlDocuments(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		start := 0
		for offset := 0; offset < len(data); {
			end := len(data)
			if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
				end = offset + i + 1
			}
			if isSeparator(data[offset:end]) {
				if !yield(data[start:offset]) {
					return
				}
				start = offset + len(separator)
			}
			offset = end
		}
		yield(data[start:])
	}
}

// separator begins a YAML document when it stands at the beginning of a line.
const separator = "---"

// isSeparator reports whether a line begins a document; what follows on it is
// part of that document.
func isSeparator(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte(separator))
	return found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// syntaxError adds the line to what the JSON parser found.
func syntaxError(source string, data []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		return fmt.Errorf("%s:%d: %w", source, line, err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: the JSON ends before the object does", source)
	}
	return fmt.Errorf("%s: %w", source, err)
}
