package main

import (
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/resources"
)

// echo says what was done to an object, in kubectl's words, or prints the object
// as -o asks.
func (a *app) echo(w *writeFlags, o resources.Object, what string) error {
	switch w.output {
	case "":
		a.outf("%s %s%s\n", qualified(o.Key()), what, w.suffix())
	case "name":
		a.outf("%s\n", qualified(o.Key()))
	case "json":
		return a.printData(o, printers.JSON)
	case "yaml":
		return a.printData(o, printers.YAML)
	}
	return nil
}

// printData prints the object as its file holds it.
func (a *app) printData(o resources.Object, print func(io.Writer, any) error) error {
	data, err := resources.Encode(o)
	if err != nil {
		return err
	}
	return print(a.stdout, json.RawMessage(data))
}

// objectText is what people compare and edit: the object as JSON, as its file
// holds it, or as YAML.
func objectText(o resources.Object, format string) ([]byte, error) {
	data, err := resources.Encode(o)
	if err != nil || format != "yaml" {
		return data, err
	}
	return yaml.JSONToYAML(data)
}

// qualified is how output names an object: task.idumb.dev/foo.
func qualified(key resources.Key) string {
	if kind, found := resources.KindOf(key.Kind); found {
		return kind.Qualified(key.Name)
	}
	return key.String()
}

// quoted is how output names an object that is gone: task.idumb.dev "foo".
func quoted(key resources.Key) string {
	kind, found := resources.KindOf(key.Kind)
	if !found {
		return key.String()
	}
	return fmt.Sprintf("%s.%s %q", kind.Singular, resources.Group, key.Name)
}

// echoEach says the same of several objects.
func (a *app) echoEach(w *writeFlags, keys []resources.Key, what string) {
	for _, key := range keys {
		a.outf("%s %s%s\n", qualified(key), what, w.suffix())
	}
}
