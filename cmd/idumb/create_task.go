package main

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/resources"
)

// taskFlags are the flags of create task.
func taskFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.TaskSpec)
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
	f.StringVar(&spec.Title, "title", "", "what the task is called (default: its name)")
	f.StringVar(&spec.ExpectedOutput, "expect", "", "what there is when the task is done (required)")
	f.StringVar(&spec.AssignedTo, "assign", "", "the role, agent or person that does it")
	f.StringVar(&spec.DelegatedBy, "delegated-by", "", "who hands it over")
	f.StringSliceVar(&spec.AllowedTools, "tools", nil, "the only tools to use for it: a,b")
	f.StringArrayVar(&spec.FileLocks, "locks", nil, "files, as a glob, that no other task may write while this one is active; may be given several times")
	f.StringArrayVar(&spec.Paths, "paths", nil, "the only files, as a glob, that may be written for it; may be given several times")
	f.StringVar(&spec.Priority, "priority", "", "critical, high, medium, normal (default) or low")
	f.StringVar(&spec.StaleAfter, "stale-after", "", "without a checkpoint for this long it is stale: 4h")
}

func taskOrderFlags(f *pflag.FlagSet, spec *resources.TaskSpec) {
	f.StringVar(&spec.WorkPlan, "plan", "", "the plan that it belongs to (required)")
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
