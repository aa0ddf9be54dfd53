package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/patch"
	"github.com/idumb-dev/idumb/resources"
)

// patchFlags holds the flags of idumb patch.
type patchFlags struct {
	writeFlags
	kind, patch, file string
	names             []string // files of -f
	recursive         bool
}

func newPatch(a *app) *cobra.Command {
	var w patchFlags
	c := newCommand("patch", nil, func(c *cobra.Command, args []string) error { return a.patchAll(c.Context(), &w, args) })
	c.Flags().StringVar(&w.kind, "type", "merge", "merge (RFC 7386) or json (RFC 6902)")
	completeFlag(c, "type", "merge", "json")
	c.Flags().StringVarP(&w.patch, "patch", "p", "", "the patch")
	c.Flags().StringVar(&w.file, "patch-file", "", "a file with the patch")
	_ = c.Flags().MarkHidden("patch-file")
	addFileFlags(c, &w.names, &w.recursive)
	addWriteFlags(c, &w.writeFlags)
	return c
}

// patchAll runs idumb patch: it applies the patch to each named resource.
func (a *app) patchAll(ctx context.Context, w *patchFlags, args []string) error {
	patch, err := a.readPatch(w)
	if err != nil {
		return err
	}
	keys, err := a.named(args, w.names, w.recursive)
	if err != nil {
		return err
	}
	called := func(r mutate.Result) string {
		if r.Operation == mutate.Unchanged {
			return "patched (no change)"
		}
		return "patched"
	}
	return a.changeEach(ctx, &w.writeFlags, keys, called, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		return patched(o, patch, patchTypes[w.kind])
	})
}

// patchTypes maps the types of patches to their functions.
var patchTypes = map[string]func(document, patch []byte) ([]byte, error){"merge": patch.Merge, "json": patch.JSON}

// patched returns an object to which apply has applied a patch. It does not change the object.
func patched(o resources.Object, patch []byte, apply func(document, patch []byte) ([]byte, error)) (resources.Object, error) {
	before, err := resources.Encode(o)
	if err != nil {
		return nil, err
	}
	after, err := apply(before, patch)
	if err != nil {
		return nil, err
	}
	next, _, err := resources.DecodeOver(o.Key(), after, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", quoted(o.Key()), placeless(err))
	}
	return next, nil
}

// placeless removes the position from an error about a text that the user does not see.
func placeless(err error) error {
	var p resources.Problem
	if !errors.As(err, &p) {
		return err
	}
	p.Line, p.Column = 0, 0
	return p
}

// readPatch returns the patch of --patch or --patch-file as JSON. The patch may be YAML.
func (a *app) readPatch(w *patchFlags) ([]byte, error) {
	if patchTypes[w.kind] == nil {
		return nil, fmt.Errorf("--type must be merge or json, not %q", w.kind)
	}
	text := []byte(w.patch)
	switch {
	case w.patch != "" && w.file != "":
		return nil, errors.New("cannot specify --patch and --patch-file together")
	case w.patch == "" && w.file == "":
		return nil, errors.New("must specify --patch or --patch-file containing the contents of the patch")
	case w.file != "":
		data, err := os.ReadFile(a.fromFolder([]string{w.file})[0])
		if err != nil {
			return nil, err
		}
		text = data
	}
	patch, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, fmt.Errorf("unable to parse %q: %w", text, err)
	}
	return patch, nil
}

// named returns the objects of the arguments, or of the files of -f.
func (a *app) named(args, files []string, recursive bool) ([]resources.Key, error) {
	if len(files) == 0 {
		return a.objectKeys(args)
	}
	if len(args) > 0 {
		return nil, errors.New("cannot combine -f with resource names")
	}
	documents, failed := a.documents(files, recursive)
	var keys []resources.Key
	for _, d := range documents {
		keys = append(keys, d.Key)
	}
	return keys, errors.Join(failed...)
}
