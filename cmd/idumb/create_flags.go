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

// workPlanFlags declares the flags of create workplan.
func workPlanFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.WorkPlanSpec)
	var phases []string
	f.StringVar(&spec.Title, "title", "", "the title (required)")
	f.StringArrayVar(&spec.Acceptance, "accept", nil, "an acceptance criterion; repeatable; without criteria the plan is complete when its tasks are")
	f.StringVar(&spec.Category, "category", "", "development, research, governance, maintenance, spec-kit or ad-hoc")
	f.StringVar(&spec.GovernanceLevel, "governance", "", "strict, balanced or minimal")
	f.StringVar(&spec.State, "state", "", "draft (default) or active")
	f.StringSliceVar(&spec.DependsOn, "depends-on", nil, "plans that this plan depends on: A,B")
	f.StringVar(&spec.SOTDocument, "document", "", "the source document, a file of the repository")
	f.StringVar(&spec.OwnedBy, "owner", "", "the role or agent responsible for the plan")
	f.StringSliceVar(&phases, "phases", nil, "the stages of the plan, in order: A,B")
	return func() error {
		for i, name := range phases {
			spec.Phases = append(spec.Phases, resources.PlanPhase{Name: name, Order: i + 1})
		}
		return nil
	}
}

// taskFlags declares the flags of create task.
func taskFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.TaskSpec)
	f.StringVar(&spec.Title, "title", "", "the title (default: the name)")
	f.StringVar(&spec.WorkPlan, "plan", "", "the plan of the task (required)")
	f.StringVar(&spec.ExpectedOutput, "expect", "", "the expected result (required)")
	return taskDetailFlags(f, spec)
}

// taskDetailFlags declares the flags of a task's optional fields.
func taskDetailFlags(f *pflag.FlagSet, spec *resources.TaskSpec) func() error {
	taskContentFlags(f, spec)
	taskOrderFlags(f, spec)
	var gate resources.TemporalGate
	f.StringVar(&gate.After, "after", "", "a task that must be completed first (temporal gate)")
	f.StringVar(&gate.Reason, "reason", "", "the reason for --after, shown to users and agents that wait")
	var source resources.TaskSource
	f.StringVar(&source.File, "file", "", "the location of the work: a file of the repository")
	f.IntVar(&source.Line, "line", 0, "a line in --file")
	var files, commands []string
	f.StringArrayVar(&files, "evidence-file", nil, "a file pattern that must be written before the task can be completed")
	f.StringArrayVar(&commands, "evidence-command", nil, "a command that must succeed before the task can be completed")
	return func() error {
		if gate.Reason != "" && gate.After == "" {
			return errors.New("--reason requires --after")
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
	f.StringVar(&spec.Description, "description", "", "the description, in Markdown; - reads standard input")
	f.StringVar(&spec.Notes, "notes", "", "notes on design, plan and findings, in Markdown; - reads standard input")
	f.StringVar(&spec.AssignedTo, "assign", "", "the role, agent or user that works on the task")
	f.StringVar(&spec.DelegatedBy, "delegated-by", "", "the role, agent or user that assigns the task")
	f.StringSliceVar(&spec.AllowedTools, "tools", nil, "the only tools allowed for the task: a,b")
	f.StringArrayVar(&spec.FileLocks, "locks", nil, "a file pattern that no other task may write while this task is open; repeatable")
	f.StringArrayVar(&spec.Paths, "paths", nil, "a file pattern; only matching files may be written for the task; repeatable")
	f.StringVar(&spec.Priority, "priority", "", "critical, high, medium, normal (default) or low")
	f.StringVar(&spec.StaleAfter, "stale-after", "", "the task is stale after this time without a checkpoint: 4h")
}

func taskOrderFlags(f *pflag.FlagSet, spec *resources.TaskSpec) {
	f.StringVar(&spec.Phase, "phase", "", "the stage of the plan")
	f.StringVar(&spec.Parent, "parent", "", "the parent task")
	f.StringSliceVar(&spec.DependsOn, "depends-on", nil, "tasks that this task depends on: A,B")
	f.StringVar(&spec.State, "state", "", "planned (default) or active")
	f.BoolVar(&spec.PlanAhead, "ahead", false, "postpone the task: visible, but not listed by idumb next")
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

// anchorFlags declares the flags of create anchor.
func anchorFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.AnchorSpec)
	var source resources.AnchorSource
	f.StringVar(&spec.Content, "content", "", "the text of the anchor (required)")
	f.StringVar(&spec.Type, "type", "", "decision, context (default), checkpoint or attention")
	f.StringVar(&spec.Priority, "priority", "", "critical, high, medium, normal (default) or low")
	f.StringVar(&source.File, "file", "", "a file that the anchor is about; the anchor becomes stale when the file changes")
	f.IntVar(&source.Line, "line", 0, "a line in --file")
	f.StringVar(&source.SHA256, "sha256", "", "the current checksum of --file; only changed contents make the anchor stale")
	f.StringVar(&source.Task, "task", "", "a task that the anchor is about; the anchor becomes stale when the task ends")
	f.StringSliceVar(&spec.RelatedTo, "related-to", nil, "related resources: NAME of an anchor, or KIND/NAME")
	f.BoolVar(&spec.Pinned, "pinned", false, "do not become stale by age")
	return func() error {
		if source != (resources.AnchorSource{}) {
			spec.Source = &source
		}
		return nil
	}
}

// memFlags declares the flags of create mem and mem save.
func memFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.MemSpec)
	var confidence int
	var when resources.AppliesWhen
	f.StringVar(&spec.Content, "content", "", "the text; for a false path: AVOID x BECAUSE y INSTEAD z (required)")
	f.StringVar(&spec.Title, "title", "", "a short title")
	f.StringVar(&spec.Type, "type", "", "insight (default), false_path, architecture, decision, pattern, tech-stack, research, codebase-fact, convention or gotcha")
	f.StringVar(&spec.TopicKey, "topic", "", "the topic; a new mem of a topic replaces the old mem")
	f.StringVar(&spec.Shelf, "shelf", "", "the shelf: a group of mems")
	f.StringSliceVar(&spec.Tags, "tags", nil, "keywords for the search: a,b")
	f.StringArrayVar(&when.Cues, "cue", nil, "a phrase in the words of a later task; repeatable, three to eight")
	f.StringArrayVar(&when.Paths, "path", nil, "a pattern of related files; repeatable")
	f.StringArrayVar(&when.Symbols, "symbol", nil, "a related function, type, setting or error; repeatable")
	f.StringArrayVar(&when.Tags, "task-tag", nil, "a label or tag of related tasks; repeatable")
	f.StringVar(&spec.OriginTask, "task", "", "the source task")
	f.StringVar(&spec.Parent, "parent", "", "the mem that this one refines")
	f.StringVar(&spec.Supersedes, "supersedes", "", "the mem that this one replaces")
	f.StringSliceVar(&spec.RelatedTo, "related-to", nil, "related resources: NAME of a mem, or KIND/NAME")
	evidence := f.StringArray("evidence", nil, "evidence: FILE, FILE#HEADING, FILE#DECLARATION (Limit, Server.Limit), or a note; repeatable")
	f.IntVar(&confidence, "confidence", 80, "your confidence, 0 to 100")
	f.StringVar(&spec.StaleAfter, "stale-after", "", "the mem becomes stale after this time without a confirmation, such as 720h")
	f.StringVar(&spec.Source, "source", "", "the origin of the mem")
	f.BoolVar(&spec.Pinned, "pinned", false, "do not decrease the confidence over time")
	f.BoolVar(&spec.Critical, "critical", false, "keep the confidence, and add the mem to contexts before other mems")
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

// tagOrTags accepts --tag for --tags.
func tagOrTags(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "tag" {
		name = "tags"
	}
	return pflag.NormalizedName(name)
}

// createMem creates a mem with a given name. It is a revision of the mem with the same topic, if
// one exists.
func (a *app) createMem(c *cobra.Command, w *writeFlags, repo mutate.Repo, m *resources.Mem) error {
	a.citeFromFolder(m)
	result, saved, err := repo.SaveMem(c.Context(), m, mems.Keep)
	if err != nil {
		return err
	}
	a.tellSaved(saved)
	if saved.What == mems.Revision && m.Spec.Supersedes == "" {
		a.errf("replaces mem/%s\n", saved.Other)
	}
	a.echoUID(w, result.After)
	return a.echo(w, result.After, mutate.Created)
}

// roleFlags declares the flags of create role.
func roleFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.RoleSpec)
	f.StringVar(&spec.Mode, "mode", "", "primary: only the agent that talks to the user; all (default): subagents too")
	f.StringVar(&spec.Scope, "scope", "", "meta, project or bridge")
	f.IntVar(&spec.Level, "level", 0, "0 (top) to 3; a role cannot delegate to a lower number")
	f.StringSliceVar(&spec.Tools.Allow, "allow-tools", nil, "the only allowed tools, as patterns: a,b")
	f.StringSliceVar(&spec.Tools.Ask, "ask-tools", nil, "tools that need the user's approval, as patterns: a,b")
	f.StringSliceVar(&spec.Tools.Deny, "deny-tools", nil, "denied tools, as patterns: a,b")
	f.StringArrayVar(&spec.Paths.Write, "write", nil, "a file pattern; only matching files may be written; repeatable")
	f.StringArrayVar(&spec.Paths.Deny, "deny-write", nil, "a file pattern that may not be written; repeatable")
	f.StringArrayVar(&spec.Shell.Allow, "allow-shell", nil, "first words of an allowed command; repeatable")
	f.StringArrayVar(&spec.Shell.Ask, "ask-shell", nil, "first words of a command that needs the user's approval; repeatable")
	f.StringArrayVar(&spec.Shell.Deny, "deny-shell", nil, "first words of a denied command; repeatable")
	f.StringSliceVar(&spec.DelegatesTo, "delegates-to", nil, "roles that tasks may be delegated to: a,b")
	f.StringSliceVar(&spec.FirstTools, "first-tools", nil, "tools; a session must call one of them first")
	f.StringSliceVar(&spec.Agents, "agents", nil, "names of host agents with this role, as patterns")
	f.StringSliceVar(&spec.Categories, "categories", nil, "kinds of plans whose tasks may be delegated to the role: a,b (default: all)")
	f.StringArrayVar(&spec.Rules, "rule", nil, "a sentence at the start of the agent's context; repeatable")
	return func() error { return nil }
}

// delegationFlags declares the flags of create delegation.
func delegationFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.DelegationSpec)
	f.StringVar(&spec.Task, "task", "", "the task to delegate (required)")
	f.StringVar(&spec.From, "from", "", "the role or agent that delegates (required)")
	f.StringVar(&spec.To, "to", "", "the role or agent that gets the task (required); its prompt must contain delegation/NAME")
	f.StringVar(&spec.Session, "session", "", "the only session that may use the delegation (default: any session of the role or agent)")
	f.StringSliceVar(&spec.AllowedTools, "tools", nil, "tools that the delegate may use: a,b (default: the tools of its task and role)")
	f.StringVar(&spec.ExpectedOutput, "expect", "", "the expected result (default: the expected result of the task)")
	f.StringVar(&spec.State, "state", "", "assigned (default), accepted, recalled or done")
	return func() error { return nil }
}

// completeSpecFlags completes the flags of create from the kind's fields: names for references, and
// the values of enums.
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

// fieldOfFlag returns the field of a kind's spec that a flag of create sets, or nil.
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

// camel converts depends-on to dependsOn.
func camel(flag string) string {
	words := strings.Split(flag, "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}
