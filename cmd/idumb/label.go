package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/mutate"
)

func newLabel(a *app) *cobra.Command {
	return newTagging(a, tagging{
		name: "label", past: "labeled", undone: "unlabeled", noun: "label", field: labelsOf, check: mutate.CheckLabel,
		doc:     "Set labels, which selectors (-l) match, or take them off (k-).",
		example: "  idumb label task login-form area=web\n  idumb label tasks --all sprint-",
	})
}
