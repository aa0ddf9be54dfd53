package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
)

// workPlanFlags are the flags of create workplan.
func workPlanFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.WorkPlanSpec)
	var phases []string
	f.StringVar(&spec.Title, "title", "", "what the plan is called (required)")
	f.StringArrayVar(&spec.Acceptance, "accept", nil, "what must hold when the plan is done; give it once for each criterion; without any, it is done when its tasks are")
	f.StringVar(&spec.Category, "category", "", "development, research, governance, maintenance, spec-kit or ad-hoc")
	f.StringVar(&spec.GovernanceLevel, "governance", "", "strict, balanced or minimal")
	f.StringVar(&spec.State, "state", "", "draft (default) or active")
	f.StringSliceVar(&spec.DependsOn, "depends-on", nil, "plans that must be completed first: A,B")
	f.StringVar(&spec.SOTDocument, "document", "", "the document that the plan is made from, a file of the repository")
	f.StringVar(&spec.OwnedBy, "owner", "", "the role or agent that answers for the plan")
	f.StringSliceVar(&phases, "phases", nil, "names of the plan's stages, in their order: A,B")
	return func() error {
		for i, name := range phases {
			spec.Phases = append(spec.Phases, resources.PlanPhase{Name: name, Order: i + 1})
		}
		return nil
	}
}

// taskFlags are the flags of create task.
func taskFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.TaskSpec)
	f.StringVar(&spec.Title, "title", "", "what the task is called (default: its name)")
	f.StringVar(&spec.WorkPlan, "plan", "", "the plan that it belongs to (required)")
	f.StringVar(&spec.ExpectedOutput, "expect", "", "what there is when the task is done (required)")
	return taskDetailFlags(f, spec)
}

// taskDetailFlags are those of a task's fields that no task needs.
func taskDetailFlags(f *pflag.FlagSet, spec *resources.TaskSpec) func() error {
	taskContentFlags(f, spec)
	taskOrderFlags(f, spec)
	var gate resources.TemporalGate
	f.StringVar(&gate.After, "after", "", "a task that must be completed first (temporal gate)")
	f.StringVar(&gate.Reason, "reason", "", "why --after holds the task back, as told to whoever waits")
	var source resources.TaskSource
	f.StringVar(&source.File, "file", "", "where it is to be done: a file of the repository")
	f.IntVar(&source.Line, "line", 0, "a line in --file")
	var files, commands []string
	f.StringArrayVar(&files, "evidence-file", nil, "a file, as a glob, that must be written before the task counts as done")
	f.StringArrayVar(&commands, "evidence-command", nil, "a command that must be run and succeed before the task counts as done")
	return func() error {
		if gate.Reason != "" && gate.After == "" {
			return errors.New("--reason needs --after: it says why the task waits for that one")
		}
		if gate.After != "" {
			spec.TemporalGate = &gate
		}
		if source != (resources.TaskSource{}) {
			spec.Source = &source
		}
		spec.Evidence = evidenceItems(files, commands)
		return nil
	}
}

func taskContentFlags(f *pflag.FlagSet, spec *resources.TaskSpec) {
	f.StringVar(&spec.Description, "description", "", "what is to be done, at length, in Markdown; - reads it from standard input")
	f.StringVar(&spec.Notes, "notes", "", "how: design, plan, what came up, in Markdown; - reads it from standard input")
	f.StringVar(&spec.AssignedTo, "assign", "", "the role, agent or person that does it")
	f.StringVar(&spec.DelegatedBy, "delegated-by", "", "who hands it over")
	f.StringSliceVar(&spec.AllowedTools, "tools", nil, "the only tools to use for it: a,b")
	f.StringArrayVar(&spec.FileLocks, "locks", nil, "files, as a glob, that no other task may write while this one is open; may be given several times")
	f.StringArrayVar(&spec.Paths, "paths", nil, "the only files, as a glob, that may be written for it; may be given several times")
	f.StringVar(&spec.Priority, "priority", "", "critical, high, medium, normal (default) or low")
	f.StringVar(&spec.StaleAfter, "stale-after", "", "without a checkpoint for this long it is stale: 4h")
}

func taskOrderFlags(f *pflag.FlagSet, spec *resources.TaskSpec) {
	f.StringVar(&spec.Phase, "phase", "", "the stage of the plan")
	f.StringVar(&spec.Parent, "parent", "", "the task that it is a part of")
	f.StringSliceVar(&spec.DependsOn, "depends-on", nil, "tasks that must be completed first: A,B")
	f.StringVar(&spec.State, "state", "", "planned (default) or active")
	f.BoolVar(&spec.PlanAhead, "ahead", false, "plan ahead: visible, never proposed as next")
}

func evidenceItems(files, commands []string) []resources.EvidenceItem {
	var items []resources.EvidenceItem
	for _, file := range files {
		items = append(items, resources.EvidenceItem{File: file})
	}
	for _, command := range commands {
		items = append(items, resources.EvidenceItem{Command: command, Succeeds: true})
	}
	return items
}

// anchorFlags are the flags of create anchor.
func anchorFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.AnchorSpec)
	var source resources.AnchorSource
	f.StringVar(&spec.Content, "content", "", "what is to be remembered (required)")
	f.StringVar(&spec.Type, "type", "", "decision, context (default), checkpoint or attention")
	f.StringVar(&spec.Priority, "priority", "", "critical, high, medium, normal (default) or low")
	f.StringVar(&source.File, "file", "", "a file of the repository that it is about; it turns stale when that changes")
	f.IntVar(&source.Line, "line", 0, "a line in --file")
	f.StringVar(&source.SHA256, "sha256", "", "of --file now, so that only a change of its content counts")
	f.StringVar(&source.Task, "task", "", "a task that it is about; it turns stale when that ends")
	f.StringSliceVar(&spec.RelatedTo, "related-to", nil, "other objects: NAME of an anchor, or KIND/NAME")
	f.BoolVar(&spec.Pinned, "pinned", false, "never stale by time alone")
	return func() error {
		if source != (resources.AnchorSource{}) {
			spec.Source = &source
		}
		return nil
	}
}

// memFlags are the flags of create mem and mem save.
func memFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.MemSpec)
	var confidence int
	var when resources.AppliesWhen
	f.StringVar(&spec.Content, "content", "", "what was learnt; for a false path: AVOID x BECAUSE y INSTEAD z (required)")
	f.StringVar(&spec.Title, "title", "", "a short name for people")
	f.StringVar(&spec.Type, "type", "", "insight (default), false_path, architecture, decision, pattern, tech-stack, research, codebase-fact, convention or gotcha")
	f.StringVar(&spec.TopicKey, "topic", "", "what it is about: of one topic one mem holds, and the next one replaces it")
	f.StringVar(&spec.Shelf, "shelf", "", "a group to keep it in")
	f.StringSliceVar(&spec.Tags, "tags", nil, "words to find it by: a,b")
	f.StringArrayVar(&when.Cues, "cue", nil, "a phrase in the words of a later task that needs it; three to eight of them")
	f.StringArrayVar(&when.Paths, "path", nil, "files that it is about, as a pattern; may be given several times")
	f.StringArrayVar(&when.Symbols, "symbol", nil, "a function, type, setting or error that it is about; may be given several times")
	f.StringArrayVar(&when.Tags, "task-tag", nil, "a label or tag of tasks that need it; may be given several times")
	f.StringVar(&spec.OriginTask, "task", "", "the task in which it was learnt")
	f.StringVar(&spec.Parent, "parent", "", "the mem that this one refines")
	f.StringVar(&spec.Supersedes, "supersedes", "", "the mem that this one replaces")
	f.StringSliceVar(&spec.RelatedTo, "related-to", nil, "other objects: NAME of a mem, or KIND/NAME")
	evidence := f.StringArray("evidence", nil, "what shows that it is so: FILE, FILE#HEADING, FILE#DECLARATION (Limit, Server.Limit), or a note; may be given several times")
	f.IntVar(&confidence, "confidence", 80, "how sure you are, 0 to 100")
	f.StringVar(&spec.StaleAfter, "stale-after", "", "stale so long after nobody confirmed it, such as 720h")
	f.StringVar(&spec.Source, "source", "", "where it comes from")
	f.BoolVar(&spec.Pinned, "pinned", false, "does not fade")
	f.BoolVar(&spec.Critical, "critical", false, "does not fade, and goes before others into a context")
	f.SetNormalizeFunc(tagOrTags)
	return func() error {
		for _, note := range *evidence {
			spec.Evidence = append(spec.Evidence, resources.MemEvidence{Note: note})
		}
		if len(when.Cues)+len(when.Paths)+len(when.Symbols)+len(when.Tags) > 0 {
			spec.AppliesWhen = &when
		}
		if f.Changed("confidence") {
			spec.Confidence = &confidence
		}
		return nil
	}
}

// tagOrTags lets --tag stand for --tags: whoever writes one word writes the one, whoever
// writes several the other.
func tagOrTags(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "tag" {
		name = "tags"
	}
	return pflag.NormalizedName(name)
}

// createMem creates a mem under its own name: a revision of the mem that has its topic.
func (a *app) createMem(c *cobra.Command, w *writeFlags, repo mutate.Repo, m *resources.Mem) error {
	a.citeFromFolder(m)
	result, saved, err := repo.SaveMem(c.Context(), m, mems.Keep)
	if err != nil {
		return err
	}
	a.tellSaved(saved)
	if saved.What == mems.Revision && m.Spec.Supersedes == "" {
		a.errf("it takes the place of mem/%s\n", saved.Other)
	}
	a.echoUID(w, result.After)
	return a.echo(w, result.After, mutate.Created)
}

// roleFlags are the flags of create role.
func roleFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.RoleSpec)
	f.StringVar(&spec.Mode, "mode", "", "primary: the agent that talks to the person; all (default): subagents too")
	f.StringVar(&spec.Scope, "scope", "", "meta, project or bridge")
	f.IntVar(&spec.Level, "level", 0, "0 (top) to 3; nobody delegates upwards")
	f.StringSliceVar(&spec.Tools.Allow, "allow-tools", nil, "the only tools it may use, as globs: a,b")
	f.StringSliceVar(&spec.Tools.Ask, "ask-tools", nil, "tools it uses only where a person agrees, as globs: a,b")
	f.StringSliceVar(&spec.Tools.Deny, "deny-tools", nil, "tools it may not use, as globs: a,b")
	f.StringArrayVar(&spec.Paths.Write, "write", nil, "the only files it may write, as a glob; may be given several times")
	f.StringArrayVar(&spec.Paths.Deny, "deny-write", nil, "files it may not write, as a glob; may be given several times")
	f.StringArrayVar(&spec.Shell.Allow, "allow-shell", nil, "first words of a command it may run; may be given several times")
	f.StringArrayVar(&spec.Shell.Ask, "ask-shell", nil, "first words of a command it runs only where a person agrees; may be given several times")
	f.StringArrayVar(&spec.Shell.Deny, "deny-shell", nil, "first words of a command it may not run; may be given several times")
	f.StringSliceVar(&spec.DelegatesTo, "delegates-to", nil, "roles it may hand tasks to: a,b")
	f.StringSliceVar(&spec.FirstTools, "first-tools", nil, "tools of which one must come first in a session")
	f.StringSliceVar(&spec.Agents, "agents", nil, "names of host agents that act in it, as globs")
	f.StringSliceVar(&spec.Categories, "categories", nil, "sorts of plans whose tasks may be delegated to it: a,b (default: all)")
	f.StringArrayVar(&spec.Rules, "rule", nil, "a sentence that opens the context of an agent in it; may be given several times")
	return func() error { return nil }
}

// delegationFlags are the flags of create delegation.
func delegationFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.DelegationSpec)
	f.StringVar(&spec.Task, "task", "", "the task that is handed over (required)")
	f.StringVar(&spec.From, "from", "", "the role or agent that hands it over (required)")
	f.StringVar(&spec.To, "to", "", "the role or agent that takes it (required); its prompt says delegation/NAME")
	f.StringVar(&spec.Session, "session", "", "the one session that may work under it (default: any of that role or agent)")
	f.StringSliceVar(&spec.AllowedTools, "tools", nil, "tools that the delegate may use: a,b (default: those of its task and role)")
	f.StringVar(&spec.ExpectedOutput, "expect", "", "what is expected back (default: what the task says)")
	f.StringVar(&spec.State, "state", "", "assigned (default), accepted, recalled or done")
	return func() error { return nil }
}

// completeSpecFlags completes the flags of create from the table of the kind's
// fields: names where a field refers to objects, words where it takes only these.
func (a *app) completeSpecFlags(c *cobra.Command, kind *resources.Kind) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		c.RegisterFlagCompletionFunc(f.Name, func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			return a.completeSpecFlag(c.Context(), kind, f.Name, word)
		})
	})
}

func (a *app) completeSpecFlag(ctx context.Context, kind *resources.Kind, flag, word string) ([]string, cobra.ShellCompDirective) {
	done, last := word[:strings.LastIndexByte(word, ',')+1], word[strings.LastIndexByte(word, ',')+1:]
	var fit []string
	switch field := fieldOfFlag(kind, flag); {
	case slices.Contains([]string{"assign", "delegates-to", "from", "to"}, flag):
		fit = a.namesOf(ctx, resources.Roles, last, nil)
	case field == nil || field.Format == "glob":
		return nil, cobra.ShellCompDirectiveDefault
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

// fieldOfFlag returns the field of a kind's spec that a flag of create sets; nil if
// none is known.
func fieldOfFlag(kind *resources.Kind, flag string) *resources.Field {
	paths := []string{camel(flag)}
	switch flag {
	case "plan":
		paths = []string{"workPlan"}
	case "after":
		paths = []string{"temporalGate.after"}
	case "task":
		paths = []string{"task", "originTask", "source.task"}
	}
	for _, path := range paths {
		if field, known := kind.LookupField("spec." + path); known {
			return field
		}
	}
	return nil
}

// camel makes dependsOn of depends-on.
func camel(flag string) string {
	words := strings.Split(flag, "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}
