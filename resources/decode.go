package resources

import (
	"errors"
	"fmt"
	"reflect"
)

// Decode decodes one object from a user's or a program's input. It is strict: it rejects
// unknown, duplicate and wrongly-cased fields, values of another type and trailing data. It
// also rejects a kind, version or name that differs from the key. Decode does not validate
// values; see Validate. To decode a stored file, use DecodeFile.
//
// The error is a Problem with line, column and field of the first mistake. The caller sets
// its File field. Warnings are sentences for users, for example about an ignored status.
// Decode does not retain data.
func Decode(key Key, data []byte) (Object, []string, error) { return decode(key, data, nil) }

// decode is the only decoder of the module. keeps reports whether an unknown field is
// preserved; nil means that unknown fields are errors.
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
		if p := explainText(kind, data); p != nil {
			return fail(p)
		}
		return fail(s.fail)
	}
	if p := checkHeader(key, kind, object.Head(), data); p != nil {
		return fail(p)
	}
	object.Head().unknown = s.fields
	if s.hasStatus {
		warnings = append(warnings, "status is ignored; the controller owns it")
	}
	return object, warnings, nil
}

// Read decodes a stored file with DecodeFile and validates it. If the file is unreadable or
// a value is invalid, the error is a Problem with its position.
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

// maxProblems limits the problems of one file that are listed individually.
const maxProblems = 50

// Problems returns all mistakes in the text of a stored file: the first error of
// DecodeFile, or all errors of Validate. Beyond 50 errors, it only counts them. The caller
// sets the File field.
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

// explainText returns a more helpful problem for a text that declares another
// kind or version, or that is a config of iDumb v1 or v2. It returns nil for
// any other text.
func explainText(kind *Kind, data []byte) *Problem {
	head := Header{APIVersion: textAt(data, "apiVersion"), Kind: textAt(data, "kind")}
	if p := checkType(kind, &head, data); p != nil {
		return p
	}
	return older(kind, data)
}

// checkHeader compares apiVersion, kind and name with the key, if they are set,
// and sets all three. It returns nil unless one of them differs.
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

// checkType returns a problem if apiVersion or kind is set and differs from the
// kind's, and nil otherwise.
func checkType(kind *Kind, head *Header, data []byte) *Problem {
	switch {
	case head.APIVersion != "" && head.APIVersion != APIVersion:
		return fieldProblem(data, "apiVersion", fmt.Sprintf("unknown version %q", head.APIVersion), fmt.Sprintf("write %q, or leave it out", APIVersion))
	case head.Kind != "" && head.Kind != kind.Name && head.Kind != kind.Display:
		return fieldProblem(data, "kind", fmt.Sprintf("the kind is %q, but the file is one of %s", head.Kind, kind.Plural), wrongKindRemedy(head.Kind, kind))
	}
	return nil
}

// fieldProblem returns a Problem at the position of a field.
func fieldProblem(data []byte, field, reason, remedy string) *Problem {
	line, column := Position(data, field)
	return &Problem{Line: line, Column: column, Field: field, Reason: reason, Remedy: remedy}
}

// wrongKindRemedy returns the remedy for an object whose field kind does not match its directory.
func wrongKindRemedy(found string, kind *Kind) string {
	for _, k := range Kinds() {
		if k != kind && k.Name == found && !k.Single {
			return fmt.Sprintf("move the file to .idumb/%s, or write %q", k.Plural, kind.Name)
		}
	}
	return fmt.Sprintf("write %q, or leave it out", kind.Name)
}

// olderSettings lists fields of config.json in iDumb v1 and v2 that no current object has.
var olderSettings = [...]string{"governance", "detection", "installedAt", "automation", "enforcement"}

// older returns a problem for a config.json of iDumb v1 or v2, so that the user
// gets a better message than "unknown field". It returns nil for any other
// file.
func older(kind *Kind, data []byte) *Problem {
	if kind.Plural != Configs {
		return nil
	}
	if at, ok := find(data, "spec"); !ok || at >= 0 {
		return nil
	}
	for _, field := range olderSettings {
		if at, _ := find(data, field); at >= 0 {
			return &Problem{Reason: "settings of iDumb v1 or v2 have no effect; the defaults apply", Remedy: `run "idumb migrate"; it converts them and keeps the file as config.json.bak`}
		}
	}
	return nil
}
