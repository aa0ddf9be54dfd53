package queries

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The examples and limits of k8s.io/apimachinery/pkg/util/duration.
func TestHumanDuration(t *testing.T) {
	for _, tt := range []struct {
		in   time.Duration
		want string
	}{
		{-3 * time.Second, "<invalid>"},
		{-1900 * time.Millisecond, "0s"},
		{-time.Millisecond, "0s"},
		{0, "0s"},
		{119 * time.Second, "119s"},
		{2 * time.Minute, "2m"},
		{2*time.Minute + 5*time.Second, "2m5s"},
		{9*time.Minute + 59*time.Second, "9m59s"},
		{10 * time.Minute, "10m"},
		{179*time.Minute + 59*time.Second, "179m"},
		{3 * time.Hour, "3h"},
		{3*time.Hour + 5*time.Minute, "3h5m"},
		{7*time.Hour + 59*time.Minute, "7h59m"},
		{8 * time.Hour, "8h"},
		{47*time.Hour + 59*time.Minute, "47h"},
		{48 * time.Hour, "2d"},
		{51 * time.Hour, "2d3h"},
		{8 * 24 * time.Hour, "8d"},
		{729 * 24 * time.Hour, "729d"},
		{730 * 24 * time.Hour, "2y"},
		{733 * 24 * time.Hour, "2y3d"},
		{8 * 365 * 24 * time.Hour, "8y"},
	} {
		assert.Equal(t, tt.want, HumanDuration(tt.in), tt.in)
	}
	assert.Equal(t, "<unknown>", Age(time.Time{}, time.Now()))
}
