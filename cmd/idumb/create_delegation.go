package main

import (
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/resources"
)

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
