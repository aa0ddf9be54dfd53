package main

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/doctor"
	"github.com/idumb-dev/idumb/cmd/internal/doctor/findings"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/failure"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func newDoctor(a *app) *cobra.Command {
	return newPrinted("doctor", a.doctor, "json", "yaml", "jsonpath=")
}

func (a *app) doctor(ctx context.Context, p *printers.Printer) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	by := a.answers(ctx)
	by.load = sync.OnceValues(by.load)
	found, err := ask[findings.Findings](by, findings.Ask, nil)
	if err != nil {
		return err
	}
	known := func(key resources.Key) (resources.Object, bool) {
		w, err := by.load() // only what an older tool left here is compared with objects
		if err != nil {
			return nil, false
		}
		return w.snap.Get(key)
	}
	report := doctor.Examine(root, &found, known, a.now())
	if dir, err := a.folder(); err == nil && linked(dir, root) {
		report.Notices = append(report.Notices, "this linked working tree has no .idumb of its own: it uses that of "+string(root)+"; \"idumb init\" makes it one")
	}
	if advice := upgradeAdvice(root, buildVersion()); advice != "" {
		report.Problems = append(report.Problems, resources.Problem{File: layout.Dir + "/config.json", Field: "spec.minVersion", Reason: advice, Remedy: "upgrade idumb"})
	}
	if p.Format.Name == "" {
		err = report.Print(a.stdout)
	} else {
		err = p.PrintValue(a.stdout, report)
	}
	if err == nil && len(report.Problems) > 0 {
		return failure.Exit(1)
	}
	return err
}

// linked reports whether the repository of a folder is the main working tree of the one that the
// folder is in.
func linked(dir string, root layout.Root) bool {
	for at := dir; ; at = filepath.Dir(at) {
		if main := layout.MainRoot(at); main != "" && main == string(root) {
			return true
		}
		if at == string(root) || at == filepath.Dir(at) {
			return false
		}
	}
}
