package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A program that removes commits from the list of an interactive rebase is a question; one that joins or rewords them is none.
func TestAProgramDropsCommits(t *testing.T) {
	for line, want := range map[string]string{
		"GIT_SEQUENCE_EDITOR='sed -i s/pick/drop/' git rebase -i HEAD~3": Ask, "export GIT_SEQUENCE_EDITOR='sed -i 1d'; git rebase -i main": Ask,
		"git -c sequence.editor='sed -i /x/d' rebase -i HEAD~1": Ask, "env GIT_SEQUENCE_EDITOR=./edit.sh git rebase -i HEAD~1": Ask,
		"GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash main": Allow, "GIT_SEQUENCE_EDITOR=true git rebase -i main": Allow, "git -c sequence.editor=: rebase -i --autosquash main": Allow, "git rebase main": Allow,
		`GIT_SEQUENCE_EDITOR="sed -i '2s/pick/fixup/'" git rebase -i HEAD~3`: Allow,
	} {
		assert.Equal(t, want, Read(line, Options{Dir: "/r", Root: "/r", Home: "/home/u"}).Verdict.Verdict, line)
	}
}
