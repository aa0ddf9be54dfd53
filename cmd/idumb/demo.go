package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/demo"
)

func newDemo(a *app) *cobra.Command {
	return newCommand("demo", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		program, err := os.Executable()
		if err != nil {
			return err
		}
		return demo.Run(c.Context(), program, a.stdout)
	})
}
