# A harness of the R package Metrics: Rscript harness.R (Debian: r-cran-metrics, r-cran-jsonlite).
# Items are ordered by score, and apk() gives the average precision of each user who has a relevant label.
library(jsonlite)

reply <- function(vector) {
  if (vector$metric != "map") return(list(id = vector$id, unsupported = paste("no", vector$metric)))
  rows <- function(side) if (length(side)) as.data.frame(side) else data.frame(V1 = character(), V2 = character(), V3 = character())
  labels <- rows(vector$labels)
  run <- rows(vector$run)
  relevant <- split(labels$V2[as.numeric(labels$V3) > 0], labels$V1[as.numeric(labels$V3) > 0])
  users <- lapply(setNames(names(relevant), names(relevant)), function(user) {
    own <- run[run$V1 == user, ]
    ranked <- own$V2[order(-as.numeric(own$V3))]
    if (!length(ranked)) return(0)
    k <- if (is.null(vector$k)) length(ranked) else vector$k
    Metrics::apk(min(k, length(ranked)), relevant[[user]], ranked)
  })
  if (!length(users)) return(list(id = vector$id, mean = NULL, users = setNames(list(), character())))
  list(id = vector$id, mean = mean(unlist(users)), users = users)
}

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  cat(toJSON(reply(fromJSON(line)), auto_unbox = TRUE, digits = 17, null = "null"), "\n", sep = "")
  flush(stdout())
}
