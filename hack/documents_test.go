package hack_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// documents are the texts that a newcomer meets: the repository's front door, and what
// "idumb init" puts beside the objects.
const (
	frontDoor    = "../README.md"
	scaffoldText = "../cmd/internal/scaffold/files/README.md"
)

// widest is how many columns a line of the front door takes at most.
const widest = 100

func document(t *testing.T, file string) string {
	text, err := os.ReadFile(filepath.FromSlash(file))
	require.NoError(t, err)
	return string(text)
}

// place is where the objects of a kind stand, below .idumb.
func place(k *resources.Kind) string {
	if k.Single {
		return "`" + k.Plural + ".json`"
	}
	return "`" + k.Plural + "/`"
}

// rowWith reports whether a table of a document has a row with all of these words.
func rowWith(text string, words ...string) bool {
	for row := range strings.Lines(text) {
		found := strings.HasPrefix(row, "|")
		for _, word := range words {
			found = found && strings.Contains(row, word)
		}
		if found {
			return true
		}
	}
	return false
}

func TestDocumentsHaveARowForEveryKind(t *testing.T) {
	concepts, scaffold := document(t, "../cmd/idumb/topics/concepts.md"), document(t, scaffoldText)
	for _, k := range resources.Kinds() {
		assert.True(t, rowWith(concepts, "| "+k.Name+" |", place(k)), "concepts.md has no row for %s and %s", k.Name, place(k))
		assert.True(t, rowWith(scaffold, place(k)), "%s has no row with %s", scaffoldText, place(k))
	}
}

// Every field of every kind has an answer, with a sentence in it, to "idumb explain".
func TestExplainCoversEveryField(t *testing.T) {
	var walk func(path string, f *resources.Field)
	walk = func(path string, f *resources.Field) {
		text, err := resources.Explain(path, false)
		require.NoError(t, err, path)
		_, description, _ := strings.Cut(text, "DESCRIPTION:\n")
		first, _, _ := strings.Cut(description, "\n")
		assert.NotEmpty(t, strings.TrimSpace(first), "%s has no sentence", path)
		for _, child := range f.Fields {
			walk(path+"."+child.Name, child)
		}
	}
	for _, k := range resources.Kinds() {
		walk(k.Singular, k.Fields())
	}
}

func TestTheFrontDoorIsNarrow(t *testing.T) {
	n := 0
	for line := range strings.Lines(document(t, frontDoor)) {
		n++
		assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), widest, "README.md:%d", n)
	}
}

// documentsOfAll returns the README, the topics of help and the documents for contributors.
func documentsOfAll(t *testing.T) []string {
	files := []string{frontDoor, "DEPENDENCIES.md"}
	for _, pattern := range []string{"docs/*.md", "../cmd/idumb/topics/*.md"} {
		found, err := filepath.Glob(filepath.FromSlash(pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		files = append(files, found...)
	}
	return files
}

// TestArchitectureNamesWhatExists: each path in the architecture document exists, and each file has the
// function or table that is named behind a colon.
func TestArchitectureNamesWhatExists(t *testing.T) {
	named := 0
	for _, found := range regexp.MustCompile("`([^`\n ]+/[^`\n ]+)`").FindAllStringSubmatch(document(t, "docs/architecture.md"), -1) {
		if strings.HasPrefix(found[1], ".idumb/") {
			continue
		}
		named++
		path, name, _ := strings.Cut(found[1], ":")
		path = filepath.Join("..", filepath.FromSlash(path))
		if name == "" {
			_, err := os.Stat(path)
			assert.NoError(t, err)
			continue
		}
		declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?` + name + `\b|var ` + name + `\b)`)
		assert.Regexp(t, declared, document(t, path), "%s declares no %s", path, name)
	}
	assert.Greater(t, named, 40)
}

var link = regexp.MustCompile(`\]\(([^)#:]+)\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	for _, file := range documentsOfAll(t) {
		for _, found := range link.FindAllStringSubmatch(document(t, file), -1) {
			assert.FileExists(t, filepath.Join(filepath.Dir(filepath.FromSlash(file)), filepath.FromSlash(found[1])), file)
		}
	}
	assert.Contains(t, document(t, frontDoor), "(hack/docs/threat-model.md)")
}
