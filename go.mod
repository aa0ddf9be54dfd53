module github.com/idumb-dev/idumb

go 1.26
