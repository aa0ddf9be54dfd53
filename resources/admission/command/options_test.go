package command

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHasWord(t *testing.T) {
	for _, list := range []string{"", "a", "xx", "aa a", "rm dd", "x-y y", "--force -f", "abab ab"} {
		for _, word := range []string{"", "a", "x", "aa", "rm", "r", "m", "m d", "dd", "y", "-y", "-f", "--force", "force", "ab", " "} {
			want := false
			for w := range strings.SplitSeq(list, " ") {
				want = want || w == word && word != ""
			}
			assert.Equal(t, want, hasWord(list, word), "%q in %q", word, list)
		}
	}
}

// TestStyles: the options of a program are read in the style that the program has.
func TestStyles(t *testing.T) {
	written := func(line string) (names []string) {
		for _, f := range Read(line, Options{}).Files {
			if !f.Unsure {
				names = append(names, f.Word.Text)
			}
		}
		return names
	}
	for _, line := range []string{
		"go test -count=1 ./...", "go test -short -cover -json -timeout 30s -shuffle=on -run 'TestO' ./...", "go list -json -m all", "go build -mod=mod -o /dev/null ./...",
		"go env -json", "go vet -copylocks=false ./...", "go test -c -o /dev/null .", "gcc -fno-omit-frame-pointer -Wno-unused -c -O2 a.c", "clang++ -std=c++20 -fsyntax-only a.cc",
		"rustc -Copt-level=3 --emit=metadata a.rs", "ld -soname x -nostdlib a.o", "java -jar app.jar", "javac -Xlint:all -proc:none A.java", "find . -name '*.go' -newer go.mod",
		"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=x -noout", "openssl x509 -in c.pem -noout -text", "clang-format -style=file --dry-run a.c",
		"gofmt -d .", "gofmt -l -s cmd", "psql -c 'select 1'", "jq -r .output a.json", "terraform plan -input=false -lock=false", "tar tzf a.tgz", "tar -tvf a.tar", "ps aux",
		"cmake --build build -j8", "mvn -o -q test", "gradle --offline test", "dotnet test --no-restore -nologo", "strace -f -c ls", "curl -XPOST http://localhost:8080/x", "curl -iX POST -d a=b http://localhost/x", "wget -qO- http://localhost/x", "dd --version", "ninja -C build -nv",
	} {
		assert.Empty(t, written(line), line)
	}
	for line, want := range map[string]string{
		"go build -o bin/app ./cmd/app": "bin/app", "go build -o=bin/app .": "bin/app", "go test -coverprofile=c.out ./...": "c.out", "go test --cpuprofile cpu.out .": "cpu.out",
		"gcc -ofoo a.c": "foo", "gcc -Wall -o foo a.c": "foo", "gcc -MD -MF deps.d -c a.c": "deps.d", "rustc -o foo a.rs": "foo", "javac -d out A.java": "out",
		"pytest -q --junitxml=out/r.xml": "out/r.xml", "pytest --cov=pkg --cov-report=xml:cov.xml": "cov.xml", "openssl req -x509 -keyout k.pem -out c.pem": "c.pem",
		"terraform plan -out=p": "p", "terraform plan -out p": "p", "tar czf out.tgz src": "out.tgz", "tar -C d -cf out.tar .": "out.tar", "tar cfC out.tar d .": "out.tar",
		"dd if=a of=b bs=1M": "b", "ar rcs lib.a a.o": "lib.a", "clang-format -i a.c": "a.c", "gofmt -w a.go": "a.go", "sed -ni s/a/b/p a.go": "a.go", "perl -pi -e s/a/b/ a.go": "a.go",
		"sort -uo out.txt in.txt": "out.txt", "curl -sSLo a.tgz https://example.com/a.tgz": "a.tgz", "npx eslint -o report.json src": "report.json", "poetry run pytest --junitxml r.xml": "r.xml",
	} {
		assert.Contains(t, written(line), want, line)
	}
}

// TestEveryProgramDeclaresItsStyle: a program whose rows name options of one letter states how options are written.
func TestEveryProgramDeclaresItsStyle(t *testing.T) {
	short := regexp.MustCompile(`(^| )-[A-Za-z]( |$)`)
	for _, sort := range []string{"runs", "code", "told", "file", "data", "harm", "read-only"} {
		for _, r := range rowsOfSort(sort) {
			named := ""
			for _, column := range []string{"takes", "code", "option", "needs", "spares", "tree", "output", "into", "whole"} {
				named += " " + r.get(column)
			}
			for name := range strings.SplitSeq(r.names, " ") {
				if short.MatchString(named) && !strings.HasPrefix(name, "git-") {
					assert.True(t, isOf("style", name), "%s %s", sort, name)
				}
			}
		}
	}
	for _, r := range rowsOfSort("style") {
		assert.Contains(t, []style{wordy, joined, getopt, leading, pairs}, style(r.get("how")), r.names)
		for name := range strings.SplitSeq(r.names, " ") {
			assert.Len(t, rows("style", name), 1, name)
		}
	}
}
