package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/version"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// writeFlags are the common flags of all writing verbs.
type writeFlags struct {
	dryRun string
	output string
}

// addWriteFlags declares --dry-run and -o.
func addWriteFlags(c *cobra.Command, w *writeFlags) {
	addDryRun(c, w)
	c.Flags().StringVarP(&w.output, "output", "o", "", "print the resource as json, yaml or name")
	completeFlag(c, "output", "json", "yaml", "name")
}

// addDryRun declares --dry-run with kubectl's values.
func addDryRun(c *cobra.Command, w *writeFlags) {
	c.Flags().StringVar(&w.dryRun, "dry-run", "none", "validate without writing (none or client)")
	c.Flags().Lookup("dry-run").NoOptDefVal = "client"
}

// check returns an error for invalid values.
func (w *writeFlags) check() error {
	if !slices.Contains([]string{"none", "client", "server", "true", "false"}, w.dryRun) {
		return fmt.Errorf("invalid dry-run value (%v); must be \"none\" or \"client\"", w.dryRun)
	}
	_, err := printers.ParseFormat(w.output, "json", "name", "yaml")
	return err
}

// dry reports whether the command must not write. Without a server, server means the same as
// client.
func (w *writeFlags) dry() bool { return w.dryRun != "none" && w.dryRun != "false" }

// suffix returns the suffix of output for a dry run.
func (w *writeFlags) suffix() string {
	if w.dry() {
		return " (dry run)"
	}
	return ""
}

// writer opens the repository for changes by the user or agent that runs the command. It warns if
// the repository requires a newer idumb.
func (a *app) writer(w *writeFlags) (mutate.Repo, error) {
	if err := w.check(); err != nil {
		return mutate.Repo{}, err
	}
	root, err := a.root()
	if err != nil {
		return mutate.Repo{}, err
	}
	if advice := upgradeAdvice(root, version.Current()); advice != "" {
		a.errf("Warning: %s: upgrade idumb\n", advice)
	}
	files, err := filestore.Open(string(root))
	if err != nil {
		return mutate.Repo{}, err
	}
	repo := mutate.Open(files, a.now, w.dry())
	repo.Warn = func(text string) { a.errf("Warning: %s\n", terminal.EscapeLine(text)) }
	repo.Unreached = repo.Warn
	repo.OnWrite, repo.Neighbors = a.keepTrust(root), serve.Neighbors{Root: root}
	if agent, found := callers.AgentOf(root, os.Getpid()); found {
		repo.Author, repo.Process = admission.Author{Kind: admission.Agent, Session: agent.Session}, &agent.Process
		repo.Author.Bypass = bypassesIn(a.typed)
		repo.Author.MayDecide = hooks.MayDecide(root, agent.Session, os.Environ(), a.now())
	} else {
		a.warnOfChainRules(root)
	}
	repo.Queue = func(args requests.Args, why error) error { return a.queueChange(root, args, why) }
	return repo, nil
}

// errQueued means that the change was queued and printed, so that the verb ends.
var errQueued = errors.New("queued")

// unqueued removes errQueued from an error, which means that a change was queued and not refused.
func unqueued(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && errors.Is(err, errQueued) {
		return each(joined.Unwrap(), unqueued)
	}
	if errors.Is(err, errQueued) {
		return nil
	}
	return err
}

// queueChange queues a change that this process cannot write, as in a sandbox, for a controller
// outside of it. It prints what it queued and returns errQueued. If the queue cannot be written
// either, or no controller of this user could write the change, it returns another error.
func (a *app) queueChange(root layout.Root, args requests.Args, why error) error {
	if file := forbidden(root); file != "" {
		return fmt.Errorf("not recorded: no permission to write %s; check its owner and mode: ls -ld %s: %w", file, file, why)
	}
	wish, err := requests.Append(root, a.verb, args, a.now())
	if err != nil {
		return fmt.Errorf("not recorded: %w (%w)", why, err)
	}
	for _, name := range args.About() {
		key, err := parseKey(name)
		if err != nil {
			return err
		}
		a.outf("%s queued\n", qualified(key))
	}
	a.errf("%s is not writable from this process, so %q is queued in %s: a controller runs it, and a hook reports the result\n", layout.Dir, wish, requests.File)
	return errQueued
}

// forbidden returns the file or directory of a write that its owner and mode forbid, empty if none
// does and, for example, a sandbox rejected the write. A controller of the same user could not
// write it either. It looks at the directories of all kinds, because a change of one object may
// archive or remove others.
func forbidden(root layout.Root) string {
	files := []string{layout.WriteLock, layout.RunDir}
	for _, kind := range resources.Kinds() {
		files = append(files, layout.Folder(kind.Plural), layout.ArchiveDir+"/"+kind.Plural)
	}
	for _, file := range files {
		for file != layout.Dir { // up to the nearest existing one
			if _, err := root.Lstat(file); err == nil {
				break
			}
			file = path.Dir(file)
		}
		if root.Forbidden(file) {
			return file
		}
	}
	return ""
}

// changeEach changes objects one after the other. called returns the word for each result.
func (a *app) changeEach(ctx context.Context, w *writeFlags, keys []resources.Key, called func(mutate.Result) string, change func(resources.Object, *mutate.View) (resources.Object, error)) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	return each(keys, func(key resources.Key) error {
		result, err := repo.One(ctx, key, change)
		if err != nil {
			return err
		}
		return a.echo(w, result.New, called(result))
	})
}

// done returns a function for changeEach: word for a change, unchanged otherwise.
func done(word string) func(mutate.Result) string {
	return func(r mutate.Result) string {
		if r.Operation == mutate.Unchanged {
			return mutate.Unchanged
		}
		return word
	}
}

// selection selects the objects of a verb: by name, by label, all of a kind, or the objects in
// files.
type selection struct {
	labels    string
	all       bool
	files     []string
	recursive bool
}

// addSelectionFlags adds the flags that select resources: -l, --all, -f and -R.
func addSelectionFlags(c *cobra.Command, s *selection) {
	c.Flags().StringVarP(&s.labels, "selector", "l", "", "all resources of the kind with these labels: a=b,c in (d,e),!f")
	c.Flags().BoolVar(&s.all, "all", false, "all resources of the kind")
	addFileFlags(c, &s.files, &s.recursive)
}

// objectKeys parses KIND NAME..., KIND/NAME..., or names of tasks.
func (a *app) objectKeys(args []string) ([]resources.Key, error) {
	return parseKeys(a.bareTasks(args))
}

// bareTasks converts names of tasks to task/NAME if the first argument is not a kind and all tasks
// exist.
func (a *app) bareTasks(args []string) []string {
	root, err := a.root()
	if err != nil || len(args) == 0 || isKinds(args[0]) {
		return args
	}
	tasks := make([]string, len(args))
	for i, name := range args {
		key := resources.Key{Kind: resources.Tasks, Name: name}
		if _, _, err := root.ReadSpec(key); err != nil || resources.CheckName(name) != nil {
			return args
		}
		tasks[i] = "task/" + name
	}
	return tasks
}

// keys returns the selected objects; an empty list is not an error. An unreadable object without a
// last good version has no labels.
func (a *app) keys(ctx context.Context, s *selection, args []string) ([]resources.Key, error) {
	if s.labels == "" && !s.all {
		return a.named(args, s.files, s.recursive)
	}
	switch {
	case s.labels != "" && s.all:
		return nil, errors.New("cannot set --all and --selector at the same time")
	case len(s.files) > 0:
		return nil, errors.New("cannot combine -f with --all or --selector")
	case len(args) != 1:
		return nil, errors.New("name cannot be provided when a selector is specified; give a kind: idumb delete tasks -l a=b")
	}
	kind, err := kindOfWord(args[0])
	if err != nil {
		return nil, err
	}
	selector, err := selectors.ParseLabels(s.labels)
	if err != nil {
		return nil, err
	}
	there, err := a.load(ctx, kind.Plural)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(there.snap.List(kind.Plural), func(key resources.Key) bool {
		var labels map[string]string
		if o, found := there.snap.Get(key); found {
			labels = o.Head().Metadata.Labels
		}
		return !selector.Matches(labels)
	}), nil
}

// echo prints the result for an object in kubectl's words, or the object in the format of -o.
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

// printData prints the object in the form of its file.
func (a *app) printData(o resources.Object, print func(io.Writer, any) error) error {
	data, err := resources.Encode(o)
	if err != nil {
		return err
	}
	return print(a.stdout, json.RawMessage(data))
}

// objectText returns the object for diffs and editing: JSON in the form of its file, or YAML.
func objectText(o resources.Object, format string) ([]byte, error) {
	data, err := resources.Encode(o)
	if err != nil || format != "yaml" {
		return data, err
	}
	return yaml.JSONToYAML(data)
}

// qualified returns an object's name for output: task.idumb.dev/foo.
func qualified(key resources.Key) string {
	if kind, found := resources.KindOf(key.Kind); found {
		return kind.Qualified(key.Name)
	}
	return key.String()
}

// quoted returns a removed object's name for output: task.idumb.dev "foo".
func quoted(key resources.Key) string {
	kind, found := resources.KindOf(key.Kind)
	if !found {
		return key.String()
	}
	return fmt.Sprintf("%s.%s %q", kind.Singular, resources.Group, key.Name)
}

// each calls do for each element and joins the errors.
func each[T any](all []T, do func(T) error) error {
	var failed []error
	for _, one := range all {
		failed = append(failed, do(one))
	}
	return errors.Join(failed...)
}
