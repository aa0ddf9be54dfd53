package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
)

// specFlag is a flag that sets a spec field.
type specFlag struct {
	*resources.Field
	name  string
	each  bool               // takes one list item at a time
	path  []*resources.Field // enclosing objects
	value any                // pointer
}

// flagsOf returns the flags of an object's fields, at any depth. A field with the flag allow in an
// object with the flag tools has --allow-tools.
func flagsOf(f *resources.Field, path ...*resources.Field) (flags []specFlag) {
	for _, field := range f.Fields {
		if field.Flag != "" && (field.Shape != resources.ObjectShape || field.Text != "") {
			s := specFlag{Field: field, name: field.Flag, each: field.Each || f.Each, path: path}
			if f.Flag != "" {
				s.name += "-" + f.Flag
			}
			flags = append(flags, s)
			continue
		}
		flags = append(flags, flagsOf(field, append(slices.Clip(path), field)...)...)
	}
	return flags
}

// specFlags declares the flags of an object's spec from the kind's fields, except for some names. The
// returned function sets the fields of the given flags.
func (a *app) specFlags(c *cobra.Command, o resources.Object, without ...string) (read func() error) {
	kind, _ := resources.KindOf(o.Key().Kind)
	spec, _ := kind.LookupField("spec")
	flags := slices.DeleteFunc(flagsOf(spec), func(s specFlag) bool {
		known := slices.Contains(without, s.name) // a result contains evidence as well
		without = append(without, s.name)
		return known
	})
	for i := range flags {
		flags[i].declare(c.Flags())
		c.RegisterFlagCompletionFunc(flags[i].name, func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			return a.completeSpecFlag(c.Context(), flags[i].Field, word)
		})
	}
	switch kind.Plural {
	case resources.Anchors:
		_ = c.Flags().MarkHidden("sha256")
	case resources.Mems:
		_ = c.Flags().MarkHidden("task-tag")
	case resources.Tasks:
		for _, name := range [...]string{"description", "notes"} {
			c.Flags().Lookup(name).Usage += "; - reads standard input"
		}
		c.Flags().Lookup("evidence-file").Usage = "a file pattern that must be written before the task can be completed; repeatable"
		c.Flags().Lookup("evidence-command").Usage = "a command that must succeed before the task can be completed; repeatable"
	}
	return func() error {
		given := map[string]any{}
		for _, s := range flags {
			if c.Flags().Changed(s.name) {
				s.set(given)
			}
		}
		data, err := json.Marshal(given)
		if err == nil {
			err = json.Unmarshal(data, o.SpecPointer())
		}
		if err != nil {
			return err
		}
		return complementSpec(o)
	}
}

// declare declares the flag. Its usage is the first sentence of the field's documentation, with the default.
func (s *specFlag) declare(f *pflag.FlagSet) {
	help, rest, _ := strings.Cut(strings.TrimSuffix(s.Doc, "."), ". ")
	help = strings.ToLower(help[:1]) + help[1:]
	if s.Enum != nil && !strings.Contains(help, s.Enum[0]+":") {
		help += ": " + strings.Join(s.Enum, ", ")
	}
	many := s.Repeated || slices.ContainsFunc(s.path, func(f *resources.Field) bool { return f.Repeated })
	switch {
	case s.each:
		help += "; repeatable"
	case many && s.Enum == nil:
		help += ": a,b"
	}
	if _, standard, found := strings.Cut(" "+rest, " Default"); found {
		help += " (default" + standard + ")"
	}
	if s.Required && len(s.path) == 0 {
		help += " (required)"
	}
	switch {
	case s.each:
		s.value = f.StringArray(s.name, nil, help)
	case many:
		s.value = f.StringSlice(s.name, nil, help)
	case s.Shape == resources.BooleanShape:
		s.value = f.Bool(s.name, false, help)
	case s.Shape == resources.IntegerShape:
		s.value = f.Int(s.name, 0, help)
	default:
		s.value = f.String(s.name, "", help)
	}
}

// set sets the field in a spec. In a list of objects, each value creates an object.
func (s *specFlag) set(spec map[string]any) {
	for _, in := range s.path {
		if in.Repeated {
			items, _ := spec[in.Name].([]any)
			for _, value := range *s.value.(*[]string) {
				items = append(items, map[string]any{s.Name: value})
			}
			spec[in.Name] = items
			return
		}
		inner, ok := spec[in.Name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			spec[in.Name] = inner
		}
		spec = inner
	}
	spec[s.Name] = s.value
}

// complementSpec sets fields without flags: the order of stages, and that evidence commands must succeed.
func complementSpec(o resources.Object) error {
	switch o := o.(type) {
	case *resources.WorkPlan:
		for i := range o.Spec.Phases {
			o.Spec.Phases[i].Order = i + 1
		}
	case *resources.Task:
		if gate := o.Spec.TemporalGate; gate != nil && gate.After == "" {
			return errors.New("--reason requires --after")
		}
		for i := range o.Spec.Evidence {
			o.Spec.Evidence[i].Succeeds = o.Spec.Evidence[i].Command != ""
		}
	}
	return nil
}

// createMem creates a mem with a given name. It is a revision of the mem with the same topic, if
// one exists.
func (a *app) createMem(c *cobra.Command, w *writeFlags, repo mutate.Repo, m *resources.Mem) error {
	a.citeFromFolder(m)
	result, saved, err := repo.SaveMem(c.Context(), m, mems.Add)
	if err != nil {
		return err
	}
	a.tellSaved(saved)
	if saved.Operation == mems.Revision && m.Spec.Supersedes == "" {
		a.errf("replaces mem/%s\n", saved.Replaced)
	}
	a.echoUID(w, result.New)
	return a.echo(w, result.New, mutate.Created)
}

// completeSpecFlag completes the flag of a field: names for references, and the values of enums.
func (a *app) completeSpecFlag(ctx context.Context, field *resources.Field, word string) ([]string, cobra.ShellCompDirective) {
	done, last := word[:strings.LastIndexByte(word, ',')+1], word[strings.LastIndexByte(word, ',')+1:]
	var fit []string
	switch {
	case slices.Contains([]string{"assign", "from", "to"}, field.Flag):
		fit = a.namesOf(ctx, resources.Roles, last, nil)
	case field.Format == "glob" || field.Format == "path":
		return nil, cobra.ShellCompDirectiveDefault
	case field.Format == "section":
		fit = a.namesOf(ctx, resources.Decisions, last, nil)
	case field.Ref != "":
		fit = a.namesOf(ctx, field.Ref, last, nil)
	default:
		fit = withPrefix(field.Enum, last)
	}
	for i := range fit {
		fit[i] = done + fit[i]
	}
	return fit, noFiles
}
