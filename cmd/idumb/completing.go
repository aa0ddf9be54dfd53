package main

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Arguments of a verb after its name.
const (
	completeNames = false // objects
	completeLists = true  // objects, kinds, all, and records
)

// completer is a completion function of cobra.
type completer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

const noFiles = cobra.ShellCompDirectiveNoFileComp

// completeObjects completes kinds, then names of that kind, and KIND/NAME.
func (a *app) completeObjects(lists bool) completer {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if kind, prefix, slashed := strings.Cut(word, "/"); slashed {
			return a.namesAfterSlash(c.Context(), kind, prefix), noFiles
		}
		if len(args) > 0 {
			return a.namesOf(c.Context(), args[0], word, args[1:]), noFiles
		}
		words := kindWords()
		if lists {
			words = append(words, "all")
			for _, r := range recorded() {
				words = append(words, r.plural())
			}
			for _, k := range code.ComputedKinds(false) {
				words = append(words, k.Plural)
			}
		}
		return withPrefix(words, word), noFiles
	}
}

// completeNamesOf completes names of one kind.
func (a *app) completeNamesOf(plural string) completer {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		return a.namesOf(c.Context(), plural, word, args), noFiles
	}
}

// completePhases completes names of tasks in one of the phases, and KIND/NAME.
func (a *app) completePhases(phases ...string) completer {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(word, "/") {
			return a.completeObjects(completeNames)(c, args, word)
		}
		names, err := ask[[]string](a.answers(c.Context(), planning[:]...), queries.AskNames, url.Values{"kind": {resources.Tasks}, "prefix": {word}, "phase": phases})
		if err != nil {
			return nil, noFiles
		}
		return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(args, name) }), noFiles
	}
}

// completeOpenCriteria completes the numbers of a plan's open criteria.
func (a *app) completeOpenCriteria(_ *cobra.Command, args []string, _ string) (numbers []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, noFiles
	}
	keys, err := parseKeys(args)
	if err != nil || keys[0].Kind != resources.WorkPlans {
		return nil, noFiles
	}
	root, err := a.root()
	if err != nil {
		return nil, noFiles
	}
	p, ok := root.Object(keys[0], root.Locate(keys[0])).(*resources.WorkPlan)
	if !ok {
		return nil, noFiles
	}
	for _, n := range status.OpenCriteria(p) {
		numbers = append(numbers, strconv.Itoa(n)+"\t"+terminal.EscapeLine(p.Spec.Acceptance[n-1]))
	}
	return numbers, noFiles
}

// completeFlagNames completes the value of a flag with the names of resources of a kind.
func (a *app) completeFlagNames(c *cobra.Command, flag, plural string) {
	c.RegisterFlagCompletionFunc(flag, a.completeNamesOf(plural)) // fails only for an unknown flag
}

func completeFlag(c *cobra.Command, flag string, values ...string) {
	c.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return withPrefix(values, word), noFiles
	})
}

// namesAfterSlash returns KIND/NAME for each resource of a kind whose name begins with prefix.
// KIND is spelled as in word.
func (a *app) namesAfterSlash(ctx context.Context, word, prefix string) []string {
	names := a.namesOf(ctx, word, prefix, nil)
	for i := range names {
		names[i] = word + "/" + names[i]
	}
	return names
}

// namesOf returns names of a kind. Without a controller it lists a directory, because completion
// reads no objects.
func (a *app) namesOf(ctx context.Context, word, prefix string, used []string) []string {
	kind, err := kindOfWord(word)
	if err != nil {
		if record, _ := recordOf(word); record.names == "tasks" {
			kind, _ = resources.KindOf(resources.Tasks)
		} else {
			return nil
		}
	}
	names := []string{kind.Plural}
	if !kind.Single {
		answer, hangUp := fromController[[]string](a.answers(ctx), queries.AskNames, url.Values{"kind": {kind.Plural}, "prefix": {prefix}})
		hangUp()
		if answer == nil {
			listed := a.listNames(layout.Folder(kind.Plural), layout.DerivedFolder(kind.Plural))
			answer = &listed
		}
		names = *answer
	}
	return slices.DeleteFunc(withPrefix(names, prefix), func(name string) bool { return slices.Contains(used, name) })
}

// completeArchived completes KIND/NAME, and KIND NAME..., of archived objects.
func (a *app) completeArchived(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 && !strings.Contains(args[0], "/") {
		return withPrefix(a.archivedNames(args[0], ""), word), noFiles
	}
	if kind, _, slashed := strings.Cut(word, "/"); slashed {
		return withPrefix(a.archivedNames(kind, kind+"/"), word), noFiles
	}
	var names []string
	for _, k := range resources.Kinds() {
		names = append(names, a.archivedNames(k.Plural, k.Singular+"/")...)
	}
	return withPrefix(names, word), noFiles
}

// archivedNames returns the names of a kind's archived objects, each after prefix.
func (a *app) archivedNames(word, prefix string) []string {
	kind, err := kindOfWord(word)
	if err != nil {
		return nil
	}
	names := a.listNames(layout.ArchiveDir + "/" + kind.Plural)
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// listNames returns the names of the objects in directories, sorted.
func (a *app) listNames(folders ...string) []string {
	root, err := a.root()
	if err != nil {
		return nil
	}
	var names []string
	for _, folder := range folders {
		if folder == "" {
			continue // a kind without derived objects
		}
		files, _ := root.Names(folder) // an unreadable directory has no completions
		for _, file := range files {
			if name, ok := layout.ObjectName(file); ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// withPrefix returns the words that begin with prefix.
func withPrefix(words []string, prefix string) []string {
	var fit []string
	for _, w := range words {
		if strings.HasPrefix(w, prefix) {
			fit = append(fit, w)
		}
	}
	return fit
}

// completeFields completes the fields of explain: task.spec.de -> task.spec.dependsOn.
func completeFields(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	dot := strings.LastIndexByte(word, '.')
	if dot < 0 {
		return withPrefix(kindWords(), word), noFiles | cobra.ShellCompDirectiveNoSpace
	}
	name, path, _ := strings.Cut(word[:dot], ".")
	kind, err := kindOfWord(name)
	if err != nil {
		return nil, noFiles
	}
	field, ok := kind.LookupField(path)
	if !ok {
		return nil, noFiles
	}
	var fit []string
	for _, f := range field.FieldNames() {
		if strings.HasPrefix(f, word[dot+1:]) {
			fit = append(fit, word[:dot+1]+f)
		}
	}
	return fit, noFiles | cobra.ShellCompDirectiveNoSpace
}
