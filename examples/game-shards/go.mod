module example.com/game-shards

go 1.22
