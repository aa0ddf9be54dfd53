package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

func (a *app) version(context.Context) error {
	a.outf("idumb %s %s %s/%s\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// buildVersion is the module's version for a program that go install made, and
// the commit for one built in a checkout.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

// upgradeAdvice says that the repository asks for a newer idumb than one of that version; ""
// if it does not.
func upgradeAdvice(root layout.Root, version string) string {
	data, _, err := root.ReadSpec(resources.Key{Kind: resources.Configs, Name: resources.ConfigName})
	wanted := resources.MinVersion(data)
	if err != nil || !resources.OlderThan(version, wanted) {
		return ""
	}
	return fmt.Sprintf("this repository asks for idumb %s or newer, and this is %s", wanted, version)
}
