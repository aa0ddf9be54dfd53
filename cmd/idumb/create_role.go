package main

import (
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/resources"
)

// roleFlags are the flags of create role.
func roleFlags(f *pflag.FlagSet, object resources.Object) func() error {
	spec := object.SpecPointer().(*resources.RoleSpec)
	f.StringVar(&spec.Mode, "mode", "", "primary: the agent that talks to the person; all (default): subagents too")
	f.StringVar(&spec.Scope, "scope", "", "meta, project or bridge")
	f.IntVar(&spec.Level, "level", 0, "0 (top) to 3; nobody delegates upwards")
	f.StringSliceVar(&spec.Tools.Allow, "allow-tools", nil, "the only tools it may use, as globs: a,b")
	f.StringSliceVar(&spec.Tools.Deny, "deny-tools", nil, "tools it may not use, as globs: a,b")
	f.StringArrayVar(&spec.Paths.Write, "write", nil, "the only files it may write, as a glob; may be given several times")
	f.StringArrayVar(&spec.Paths.Deny, "deny-write", nil, "files it may not write, as a glob; may be given several times")
	f.StringArrayVar(&spec.Shell.Allow, "allow-shell", nil, "first words of a command it may run; may be given several times")
	f.StringArrayVar(&spec.Shell.Deny, "deny-shell", nil, "first words of a command it may not run; may be given several times")
	f.StringSliceVar(&spec.DelegatesTo, "delegates-to", nil, "roles it may hand tasks to: a,b")
	f.StringSliceVar(&spec.FirstTools, "first-tools", nil, "tools of which one must come first in a session")
	f.StringSliceVar(&spec.Agents, "agents", nil, "names of host agents that act in it, as globs")
	f.StringSliceVar(&spec.Categories, "categories", nil, "sorts of plans whose tasks may be delegated to it: a,b (default: all)")
	f.StringArrayVar(&spec.Rules, "rule", nil, "a sentence that opens the context of an agent in it; may be given several times")
	return func() error { return nil }
}
