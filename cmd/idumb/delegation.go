package main

import "github.com/spf13/cobra"

func newDelegation(a *app) *cobra.Command {
	return withVerbs(newCommand("delegation", nil, noSubVerb), a.actsBelow("delegation")...)
}
