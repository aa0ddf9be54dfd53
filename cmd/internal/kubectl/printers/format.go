package printers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/selectors"
)

// Format is an output format of -o. The zero Format is the table.
type Format struct {
	Name    string // empty, wide, json, yaml, name, jsonpath, go-template or custom-columns
	path    *selectors.Template
	text    goTemplate
	columns []customColumn
}

// formats lists the values of -o, for error messages.
const formats = "custom-columns,go-template,json,jsonpath,name,wide,yaml"

// ParseFormat parses the value of -o. only, if not empty, lists the formats that the command
// supports.
func ParseFormat(value string, only ...string) (Format, error) {
	name, arg, hasArg := strings.Cut(value, "=")
	allowed := formats
	if len(only) > 0 {
		allowed = strings.Join(only, ",")
	}
	if name != "" && !slices.Contains(strings.Split(allowed, ","), name) {
		return Format{}, fmt.Errorf("unable to match a printer suitable for the output format %q, allowed formats are: %s", value, allowed)
	}
	f := Format{Name: name}
	var err error
	switch {
	case name == "jsonpath" && arg == "":
		return f, fmt.Errorf("template format specified but no template given; for example -o jsonpath='{.metadata.name}'")
	case name == "go-template" && arg == "":
		return f, fmt.Errorf("template format specified but no template given; for example -o go-template='{{.metadata.name}}'")
	case name == "go-template":
		if f.text, err = parseGoTemplate(arg); err != nil {
			err = fmt.Errorf("error parsing template %s: %w", arg, err)
		}
	case name == "custom-columns" && arg == "":
		return f, fmt.Errorf("custom-columns format specified but no custom columns given; for example -o custom-columns=NAME:.metadata.name,PHASE:.status.phase")
	case name == "jsonpath":
		f.path, err = selectors.ParseTemplate(arg)
	case name == "custom-columns":
		f.columns, err = parseColumns(arg)
	case hasArg:
		err = fmt.Errorf("the output format %s takes no value; write -o %s", name, name)
	}
	return f, err
}

// Table reports whether the format is a table, wide or not.
func (f Format) Table() bool { return f.Name == "" || f.Name == "wide" }

// NeedsDocument reports whether the format needs the full document of every object.
func (f Format) NeedsDocument() bool {
	switch f.Name {
	case "json", "yaml", "jsonpath", "go-template", "custom-columns":
		return true
	}
	return false
}
