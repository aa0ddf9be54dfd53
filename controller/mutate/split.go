package mutate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/resources"
)

// byteOrderMark is the prefix that some editors add to UTF-8 text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// SplitManifests yields the documents of data in order. It yields an error for an
// unreadable document and continues if the start of the next document is known,
// as in YAML and in Lists. source is the name of data in messages.
func SplitManifests(source string, data []byte) iter.Seq2[Manifest, error] {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && first[0] == '{' {
		return splitJSON(source, data)
	}
	return splitYAML(source, data)
}

// splitJSON yields the consecutive JSON objects in data.
func splitJSON(source string, data []byte) iter.Seq2[Manifest, error] {
	return func(yield func(Manifest, error) bool) {
		decoder := json.NewDecoder(bytes.NewReader(data))
		for {
			var raw json.RawMessage
			err := decoder.Decode(&raw)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Manifest{Source: source}, syntaxError(source, data, err))
				return
			}
			line := bytes.Count(data[:int(decoder.InputOffset())-len(raw)], []byte("\n"))
			if !expand(Manifest{Source: source, Line: line, JSON: raw}, yield) {
				return
			}
		}
	}
}

// splitYAML yields the documents between lines that begin with "---", which
// cannot occur inside a document. It skips empty documents.
func splitYAML(source string, data []byte) iter.Seq2[Manifest, error] {
	return func(yield func(Manifest, error) bool) {
		for _, part := range yamlDocuments(data) {
			converted, err := yaml.YAMLToJSONStrict(part)
			goOn := true
			switch {
			case err != nil:
				goOn = yield(Manifest{Source: source}, fmt.Errorf("%s: %w", source, err))
			case string(bytes.TrimSpace(converted)) != "null":
				goOn = expand(Manifest{Source: source, YAML: true, JSON: converted}, yield)
			}
			if !goOn {
				return
			}
		}
	}
}

// yamlDocuments splits data at each line that begins with the word "---". The
// rest of the line belongs to the following document.
func yamlDocuments(data []byte) (parts [][]byte) {
	start, offset := 0, 0
	for line := range bytes.Lines(data) {
		if rest, found := bytes.CutPrefix(line, []byte("---")); found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0) {
			parts = append(parts, data[start:offset])
			start = offset + len("---")
		}
		offset += len(line)
	}
	return append(parts, data[start:])
}

// syntaxError adds the line to an error of the JSON parser.
func syntaxError(source string, data []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		return fmt.Errorf("%s:%d: %w", source, line, err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON ends before the object does")
	}
	return fmt.Errorf("%s: %w", source, err)
}

// Manifest is one object in its original form.
type Manifest struct {
	Source   string        // source: a path, "STDIN" or "command line"
	Line     int           // number of lines of Source before it; 0 for YAML
	YAML     bool          // Source is YAML, so positions in JSON are meaningless to its author
	Key      resources.Key // Name is empty for an object that needs a generated name
	Prefix   string        // prefix of the generated name (metadata.generateName)
	JSON     []byte        // without status, metadata.resourceVersion and metadata.generateName
	Revision string        // revision of a printed object; empty if none
}

// MaxBytes is the maximum input size. It is far more than any set of plans and
// tasks.
const MaxBytes = 64 << 20

// Object decodes the document. Errors contain the position in Source. before is
// the existing object or nil; fields of its file that this build does not know
// are then accepted in the document too.
func (d Manifest) Object(before resources.Object) (object resources.Object, err error) {
	if before == nil {
		object, _, err = resources.Decode(d.Key, d.JSON)
	} else {
		object, _, err = resources.DecodeOver(d.Key, d.JSON, before)
	}
	var problem resources.Problem
	if !errors.As(err, &problem) {
		return object, err
	}
	// The author knows the object by Source, not by its future file.
	at := d.Key.String()
	if problem.Line > 0 && !d.YAML && d.Revision == "" {
		at = fmt.Sprintf("%s: line %d, column %d", at, problem.Line+d.Line, problem.Column)
	}
	if d.YAML && strings.HasPrefix(problem.Reason, "a string is expected") {
		problem.Remedy = "put it in quotes: in YAML, y, no and 1.0 are no strings"
	}
	problem.File, problem.Line, problem.Column = "", 0, 0
	return nil, fmt.Errorf("%s: %w", at, problem)
}
