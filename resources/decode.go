package resources

import (
	"errors"
	"fmt"
	"reflect"
)

// Decode reads one object that a person or a program gives, strictly: unknown, duplicate
// and wrongly-cased fields, values of another type, trailing data, and a kind, version or
// name that is not the key's are errors. Whether the values make sense is Validate's
// business. DecodeFile is for what stands in a file already.
//
// The error is a Problem with line, column and field, for the first thing that is
// wrong; its File is for the caller to fill in. Warnings are sentences for people:
// a status in the file, which is ignored. data is not kept.
func Decode(key Key, data []byte) (Object, []string, error) { return decode(key, data, nil) }

// decode is the one decoder of every part of iDumb. keeps says which fields that the kind
// does not have are kept; nil: none.
func decode(key Key, data []byte, keeps func(u UnknownField, mistake bool) bool) (object Object, warnings []string, err error) {
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
	object = kind.make(kind)
	s := scanner{data: data, keeps: keeps}
	if !s.document(kind.rules(), reflect.ValueOf(object).Elem()) {
		if p := elsewhere(kind, data); p != nil {
			return fail(p)
		}
		return fail(s.fail)
	}
	if p := checkHeader(key, kind, object.Head(), data); p != nil {
		return fail(p)
	}
	object.Head().unknown = s.kept
	if s.hasStatus {
		warnings = append(warnings, "status is ignored; the controller owns it")
	}
	return object, warnings, nil
}

// Read decodes what stands in a file (DecodeFile) and validates it. The error is a Problem
// with its place for a file that cannot be read and for one whose values make no sense.
func Read(key Key, data []byte) (Object, []string, error) {
	object, warnings, err := DecodeFile(key, data)
	if err != nil {
		return nil, nil, err
	}
	if errs := Validate(object); len(errs) > 0 {
		return nil, warnings, errs[0].problem(key, data)
	}
	return object, warnings, nil
}

// maxProblems is how many problems of one file are listed with their places.
const maxProblems = 50

// Problems returns everything that is wrong with one file's text: the first error
// of DecodeFile, or all of Validate's, of which the 51st and further ones are only
// counted. File is for the caller to fill in.
func Problems(key Key, data []byte) []Problem {
	object, _, err := DecodeFile(key, data)
	if err != nil {
		var p Problem
		errors.As(err, &p)
		return []Problem{p}
	}
	var problems []Problem
	errs := Validate(object)
	for _, e := range errs[:min(len(errs), maxProblems)] {
		problems = append(problems, e.problem(key, data))
	}
	if more := len(errs) - maxProblems; more > 0 {
		problems = append(problems, Problem{Key: key, Object: key.String(), Reason: fmt.Sprintf("%d more values are wrong", more), Remedy: "correct those above first"})
	}
	return problems
}

// elsewhere looks at a text that is no object of this kind: if it says itself that
// it is of another kind or version, that is what is wrong with it, and not its
// first field that this kind does not have.
func elsewhere(kind *Kind, data []byte) *Problem {
	head := Header{APIVersion: textAt(data, "apiVersion"), Kind: textAt(data, "kind")}
	if p := checkType(kind, &head, data); p != nil {
		return p
	}
	return older(kind, data)
}

// checkHeader compares what the object says about itself with where it stands,
// and fills in what it may leave out.
func checkHeader(key Key, kind *Kind, head *Header, data []byte) *Problem {
	if p := checkType(kind, head, data); p != nil {
		return p
	}
	if head.Metadata.Name != "" && head.Metadata.Name != key.Name {
		return fieldProblem(data, "metadata.name", fmt.Sprintf("the name is %q, but the file is called %s.json", head.Metadata.Name, key.Name), "rename the file or correct the name")
	}
	head.APIVersion, head.Kind, head.Metadata.Name = APIVersion, kind.Name, key.Name
	return nil
}

// checkType compares apiVersion and kind, where they are given.
func checkType(kind *Kind, head *Header, data []byte) *Problem {
	switch {
	case head.APIVersion != "" && head.APIVersion != APIVersion:
		return fieldProblem(data, "apiVersion", fmt.Sprintf("unknown version %q", head.APIVersion), fmt.Sprintf("write %q, or leave it out", APIVersion))
	case head.Kind != "" && head.Kind != kind.Name && head.Kind != kind.Display:
		return fieldProblem(data, "kind", fmt.Sprintf("the kind is %q, but the file is one of %s", head.Kind, kind.Plural), wrongKindRemedy(head.Kind, kind))
	}
	return nil
}

// fieldProblem makes a Problem at the place of a field.
func fieldProblem(data []byte, field, reason, remedy string) *Problem {
	line, column := Position(data, field)
	return &Problem{Line: line, Column: column, Field: field, Reason: reason, Remedy: remedy}
}

func wrongKindRemedy(found string, kind *Kind) string {
	for _, k := range Kinds() {
		if k != kind && k.Name == found && !k.Single {
			return fmt.Sprintf("move the file to .idumb/%s, or write %q", k.Plural, kind.Name)
		}
	}
	return fmt.Sprintf("write %q, or leave it out", kind.Name)
}

// olderSettings are fields that config.json had in iDumb v1 and v2, and that no object has.
var olderSettings = [...]string{"governance", "detection", "installedAt", "automation", "enforcement"}

// older looks at a text that is no object: a config.json of iDumb v1 or v2 stands where
// ours does, and says more to a person under that name than its first unknown field.
func older(kind *Kind, data []byte) *Problem {
	if kind.Plural != Configs {
		return nil
	}
	if at, ok := find(data, "spec"); !ok || at >= 0 {
		return nil
	}
	for _, field := range olderSettings {
		if at, _ := find(data, field); at >= 0 {
			return &Problem{Reason: "these are settings of iDumb v1 or v2; the defaults count", Remedy: `run "idumb migrate", which takes over what they say and keeps the file as config.json.bak`}
		}
	}
	return nil
}
