package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/doctor"
	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
)

const doctorDoc = `Look for everything that is wrong: files that cannot be read, values that make
no sense, references that lead nowhere, circles, broken chains, missing evidence,
leftovers. Each problem comes with its file, line, reason and remedy.

Exit code 1: there is a problem.`

func newDoctor(a *app) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use: "doctor [flags]", Short: "Find what is wrong, and say what to do", Long: doctorDoc, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.doctor(c.Context(), output) },
	}
	c.Flags().StringVarP(&output, "output", "o", "", "json, yaml, jsonpath=...")
	completeFlag(c, "output", "json", "yaml", "jsonpath=")
	return c
}

func (a *app) doctor(ctx context.Context, output string) error {
	format, err := printers.ParseFormat(output, "json", "jsonpath", "yaml")
	if err != nil {
		return err
	}
	w, err := a.load(ctx)
	if err != nil {
		return err
	}
	report := doctor.Examine(w.files, w.snap)
	if format.Name == "" {
		err = report.Print(a.stdout)
	} else {
		err = (&printers.Printer{Format: format}).PrintValue(a.stdout, report)
	}
	if err == nil && len(report.Problems) > 0 {
		return failure.Exit(1)
	}
	return err
}
