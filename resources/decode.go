package resources

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Decode reads one object, strictly: unknown, duplicate and wrongly-cased fields,
// values of another type, trailing data, and a kind, version or name that is not
// the key's are errors. It is the one decoder of every part of iDumb. Whether the
// values make sense is Validate's business; Read does both.
//
// The error is a Problem with line, column and field, for the first thing that is
// wrong; its File is for the caller to fill in. Warnings are sentences for people:
// a status in the file, which is ignored. data is not kept.
func Decode(key Key, data []byte) (object Object, warnings []string, err error) {
	kind, ok := KindOf(key.Kind)
	if !ok {
		return nil, nil, Problem{Key: key, Object: key.String(), Reason: fmt.Sprintf("there is no kind %q", key.Kind), Remedy: "see idumb api-resources"}
	}
	fail := func(p *Problem) (Object, []string, error) {
		p.Key, p.Object = key, key.String()
		return nil, nil, *p
	}
	if err := CheckName(key.Name); err != nil {
		return fail(&Problem{Reason: err.Error(), Remedy: "rename the file"})
	}
	if p := precheck(data); p != nil {
		return fail(p)
	}
	s := scanner{data: data}
	if !s.document(kind.Fields()) {
		return fail(s.fail)
	}
	object, hasStatus, err := unmarshal(kind, data)
	if err != nil {
		return fail(&Problem{Reason: err.Error(), Remedy: fixJSON})
	}
	if p := checkHeader(key, kind, object.Head(), data); p != nil {
		return fail(p)
	}
	if hasStatus {
		warnings = append(warnings, "status is ignored; the controller owns it")
	}
	return object, warnings, nil
}

// Read decodes and validates. The error is a Problem with its place for a file
// that cannot be read and for one whose values make no sense.
func Read(key Key, data []byte) (Object, []string, error) {
	object, warnings, err := Decode(key, data)
	if err != nil {
		return nil, nil, err
	}
	if errs := Validate(object); len(errs) > 0 {
		return nil, warnings, errs[0].problem(key, data)
	}
	return object, warnings, nil
}

// Problems returns everything that is wrong with one file's text: the first error
// of Decode, or all of Validate's. File is for the caller to fill in.
func Problems(key Key, data []byte) []Problem {
	object, _, err := Decode(key, data)
	if err != nil {
		var p Problem
		errors.As(err, &p)
		return []Problem{p}
	}
	var problems []Problem
	for _, e := range Validate(object) {
		problems = append(problems, e.problem(key, data))
	}
	return problems
}

// unmarshal fills an object from text that the scanner accepted.
func unmarshal(kind *Kind, data []byte) (Object, bool, error) {
	object := kind.make(kind)
	document := struct {
		*Header
		Spec   any             `json:"spec"`
		Status json.RawMessage `json:"status"`
	}{Header: object.Head(), Spec: object.SpecPointer()}
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, false, err
	}
	return object, len(document.Status) > 0 && string(document.Status) != "null", nil
}

// checkHeader compares what the object says about itself with where it stands,
// and fills in what it may leave out.
func checkHeader(key Key, kind *Kind, head *Header, data []byte) *Problem {
	wrong := func(field, reason, remedy string) *Problem {
		line, column := Position(data, field)
		return &Problem{Line: line, Column: column, Field: field, Reason: reason, Remedy: remedy}
	}
	switch {
	case head.APIVersion != "" && head.APIVersion != APIVersion:
		return wrong("apiVersion", fmt.Sprintf("unknown version %q", head.APIVersion), fmt.Sprintf("write %q, or leave it out", APIVersion))
	case head.Kind != "" && head.Kind != kind.Name:
		return wrong("kind", fmt.Sprintf("the kind is %q, but the file is one of %s", head.Kind, kind.Plural), wrongKindRemedy(head.Kind, kind))
	case head.Metadata.Name != "" && head.Metadata.Name != key.Name:
		return wrong("metadata.name", fmt.Sprintf("the name is %q, but the file is called %s.json", head.Metadata.Name, key.Name), "rename the file or correct the name")
	}
	head.APIVersion, head.Kind, head.Metadata.Name = APIVersion, kind.Name, key.Name
	return nil
}

func wrongKindRemedy(found string, kind *Kind) string {
	if i := slices.IndexFunc(Kinds(), func(k *Kind) bool { return strings.EqualFold(k.Name, found) }); i >= 0 {
		return fmt.Sprintf("move the file to .idumb/%s, or write %q", Kinds()[i].Plural, kind.Name)
	}
	return fmt.Sprintf("write %q, or leave it out", kind.Name)
}

// Position returns line and column, from 1, at which the value of a field such as
// "spec.dependsOn[1]" begins, or that of the nearest field around it that the text
// has; 0, 0 if the text is no JSON object.
func Position(data []byte, field string) (line, column int) {
	for {
		s := scanner{data: data, target: field, found: -1}
		if tooDeep(data) >= 0 || s.peek() != '{' || !s.object(nil) {
			return 0, 0
		}
		if s.found >= 0 {
			p := problemAt(data, s.found, "", "", "")
			return p.Line, p.Column
		}
		cut := strings.LastIndexAny(field, ".[")
		if cut < 0 {
			return 1, 1
		}
		field = field[:cut]
	}
}
