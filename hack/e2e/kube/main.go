// Kube runs kubectl against the Kubernetes API of a repository, one row of its table after the
// other:
//
//	go run ./hack/e2e/kube [-kubectl FILE] [-bin DIR] [-record FILE] [-only WORDS]
//
// The default is the kubectl in PATH; without one the command fails. Build one from
// hack/e2e/clients/kubectl:
//
//	cd hack/e2e/clients/kubectl && go build -o FILE \
//	    -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v1.37.2" .
//
// A row with a missing program prints NOT RUN. k9s, which needs a terminal from tmux, can be
// installed with
//
//	go install github.com/derailed/k9s@latest
//
// With -record, the client's requests are written to a file, one a line. The tests of
// controller/serve/kube replay them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/idumb-dev/idumb/hack/drive"
)

func main() {
	kubectl := flag.String("kubectl", "", "the client (default: kubectl in PATH)")
	record := flag.String("record", "", "a `file` for the client's requests")
	only := flag.String("only", "", "only rows whose name has these words")
	flag.Parse()
	if err := run(*kubectl, *record, *only); err != nil {
		fmt.Fprintln(os.Stderr, "kube:", err)
		os.Exit(1)
	}
}

func run(kubectl, record, only string) (err error) {
	if kubectl == "" {
		if kubectl, err = exec.LookPath("kubectl"); err != nil {
			return fmt.Errorf("find kubectl: %w; build it with the command in the comment of hack/e2e/kube/main.go", err)
		}
	}
	bin, err := drive.Build("idumb", "idumb-controller")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bin.Remove()) }()
	s, err := newStage(bin, kubectl, record)
	if err != nil {
		return err
	}
	defer s.end()
	failed, ran := 0, 0
	for _, r := range rows() {
		if !strings.Contains(r.name, only) {
			continue
		}
		if missing := r.missing(); missing != "" {
			fmt.Printf("NOT RUN  %s: there is no %s\n", r.name, missing)
			continue
		}
		ran++
		if why := s.play(r); why != "" {
			failed++
			fmt.Printf("FAILED   %s: %s\n", r.name, why)
			continue
		}
		fmt.Printf("ok       %s\n", r.name)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d rows failed", failed, ran)
	}
	return nil
}
