package main

import "github.com/spf13/cobra"

func newLabel(a *app) *cobra.Command {
	return newTagging(a, tagging{
		name: "label", past: "labeled", undone: "unlabeled", noun: "label", field: labelsOf,
		doc:     "Set labels, which selectors (-l) match, or take them off (k-).",
		example: "  idumb label task login-form area=web\n  idumb label tasks --all sprint-",
	})
}
