package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/version"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func newVersion(a *app) *cobra.Command {
	c := a.newPrinted("version", a.version, "json", "yaml", "jsonpath=")
	c.Flags().Bool("client", false, "ignored (for kubectl compatibility)")
	c.Flags().Lookup("client").Hidden = true
	return c
}

// versionDocument is the version in the form of -o json, as in kubectl.
type versionDocument struct {
	ClientVersion struct {
		GitVersion string `json:"gitVersion"`
		GoVersion  string `json:"goVersion"`
		Platform   string `json:"platform"`
	} `json:"clientVersion"`
}

// version runs idumb version: it prints the version of this program, of Go and of the platform.
func (a *app) version(_ context.Context, p *printers.Printer) error {
	var v versionDocument
	c := &v.ClientVersion
	c.GitVersion, c.GoVersion, c.Platform = version.Current(), runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH
	if !p.Format.Table() {
		return p.PrintValue(a.stdout, v)
	}
	a.outf("idumb %s %s %s\n", c.GitVersion, c.GoVersion, c.Platform)
	return nil
}

// upgradeAdvice returns a message if the repository requires a newer version of idumb, otherwise an
// empty string.
func upgradeAdvice(root layout.Root, version string) string {
	data, _, err := root.ReadSpec(resources.Key{Kind: resources.Configs, Name: resources.ConfigName})
	wanted := resources.MinVersion(data)
	if err != nil || !resources.OlderThan(version, wanted) {
		return ""
	}
	return fmt.Sprintf("this repository requires idumb %s or later, this is %s", wanted, version)
}
